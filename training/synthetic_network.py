"""Small networks that tell people from speech engines by pooled encoder layers, in JAX.

Rows go through principal components, so that a network has few weights to fit. Each source has the
same weight, and sources with a greater loss more of it: the error on strangers is that of the worst
source, not of the average.
"""

import functools

import jax
import jax.numpy as jnp
import numpy as np
import optax
from sklearn.decomposition import PCA

from affect_experts import Scale

COMPONENTS, HIDDEN, NETWORKS = 128, 32, 4
STEPS, LEARNING_RATE, WEIGHT_DECAY = 300, 3e-3, 3e-3
# Share of the components and of the hidden units that a step leaves out; smoothing of the labels.
DROPOUT, SMOOTHING = 0.3, 0.05
# How much more a source weighs with its loss: per unit of log-loss.
EMPHASIS = 1.0


class Detector:
    """The average logit of several networks: positive for speech engines."""

    def __init__(self, sources, synthetic, seed):
        """`sources`: name -> rows [clips, features]; `synthetic`: the names of the engines."""
        rows = np.concatenate(list(sources.values()))
        self.scale = Scale(rows)
        scaled = self.scale(rows)
        basis = PCA(COMPONENTS, svd_solver="randomized", random_state=seed).fit(scaled)
        # Whitened by half: the directions of little variance count for more, but not for as much.
        self.basis = basis.components_.T / np.sqrt(basis.singular_values_ / np.sqrt(len(rows)))
        labels = np.concatenate(
            [np.full(len(x), float(name in synthetic)) for name, x in sources.items()]
        )
        groups = np.concatenate([np.full(len(x), i) for i, x in enumerate(sources.values())])
        side = np.array([name in synthetic for name in sources])
        fit = functools.partial(train, scaled @ self.basis, labels, groups, side)
        self.networks = [fit(seed + i) for i in range(NETWORKS)]
        # Subtracted from the logit.
        self.zero = 0.0

    def __call__(self, rows):
        hidden, bias, out, constant = self.layers()
        active = np.maximum(self.scale(rows) @ hidden + bias, 0)
        return active @ out + constant

    def layers(self):
        """The networks as one: hidden weights and bias, weights and bias of the logit."""
        nets = self.networks
        return (
            np.concatenate([self.basis @ n["hidden"] for n in nets], 1),
            np.concatenate([n["bias"] for n in nets]),
            np.concatenate([n["out"] for n in nets]) / len(nets),
            float(np.mean([n["constant"] for n in nets])) - self.zero,
        )


def train(rows, labels, groups, side, seed):
    """One network: Adam over all rows; `side`: whether each group is synthetic."""
    random = np.random.default_rng(seed)
    parameters = {
        "hidden": random.standard_normal((rows.shape[1], HIDDEN)) * np.sqrt(2 / rows.shape[1]),
        "bias": np.zeros(HIDDEN),
        "out": random.standard_normal(HIDDEN) / np.sqrt(HIDDEN),
        "constant": np.zeros(()),
    }
    parameters = {name: jnp.asarray(value, jnp.float32) for name, value in parameters.items()}
    optimiser = optax.adamw(
        optax.cosine_decay_schedule(LEARNING_RATE, STEPS), weight_decay=WEIGHT_DECAY
    )
    members = np.equal.outer(np.arange(len(side)), groups).astype("float32")
    members /= members.sum(1, keepdims=True)
    data = {"rows": rows, "labels": labels, "members": members, "side": side}
    data = {name: jnp.asarray(value, jnp.float32) for name, value in data.items()}
    fitted = descend(optimiser, parameters, data, jax.random.key(seed))
    return {name: np.asarray(value) for name, value in fitted.items()}


@functools.partial(jax.jit, static_argnums=0)
def descend(optimiser, parameters, data, key):
    """All steps of the descent, compiled."""
    rows, side = data["rows"], data["side"]

    def loss(parameters, key):
        first, second = jax.random.split(key)
        kept = jax.random.bernoulli(first, 1 - DROPOUT, rows.shape) / (1 - DROPOUT)
        hidden = jax.nn.relu((rows * kept) @ parameters["hidden"] + parameters["bias"])
        kept = jax.random.bernoulli(second, 1 - DROPOUT, hidden.shape) / (1 - DROPOUT)
        logits = (hidden * kept) @ parameters["out"] + parameters["constant"]
        smooth = data["labels"] * (1 - SMOOTHING) + SMOOTHING / 2
        losses = data["members"] @ optax.sigmoid_binary_cross_entropy(logits, smooth)
        emphasis = jnp.exp(EMPHASIS * jax.lax.stop_gradient(losses))
        # Both sides weigh the same.
        return sum(
            (emphasis * losses * on).sum() / (emphasis * on).sum() for on in (side, 1 - side)
        )

    def step(carry, key):
        parameters, state = carry
        gradient = jax.grad(loss)(parameters, key)
        updates, state = optimiser.update(gradient, state, parameters)
        return (optax.apply_updates(parameters, updates), state), None

    start = (parameters, optimiser.init(parameters))
    (parameters, _), _ = jax.lax.scan(step, start, jax.random.split(key, STEPS))
    return parameters
