"""Small networks that tell people from speech engines by pooled encoder layers, in JAX.

Rows go through whitened components, so that a network has few weights to fit. Half of a batch is
people, and of each source it has as many rows as of another. Some networks are trained on engines
alone and some on copies of people by vocoders too: these find old engines better and neural ones
worse, and the average logit has most of both.
"""

import jax
import jax.numpy as jnp
import numpy as np
import optax

from affect_experts import Scale
from whitening import whitened_components

COMPONENTS, WHITENING, HIDDEN, NETWORKS = 320, 0.5, 32, 4
# Of both kinds of networks, how much their logit counts and how many rows of a batch are copies.
KINDS = ((2 / 3, 0), (1 / 3, 51))
STEPS, BATCH, LEARNING_RATE, WEIGHT_DECAY = 1_600, 256, 3e-3, 3e-3
# Share of the components and of the hidden units that a step leaves out; smoothing of the labels.
DROPOUT, SMOOTHING = 0.3, 0.05


class Detector:
    """The average logit of several networks: positive for speech engines."""

    def __init__(self, people, engines, copies, seed):
        """Lists of sources, each rows [clips, features].

        A source that is there twice is drawn twice as often.
        """
        groups = people, engines, copies
        sources = list({id(x): x for group in groups for x in group}.values())
        self.scale = Scale(np.concatenate(sources))
        self.basis = whitened_components(sources, self.scale, COMPONENTS, WHITENING, seed)
        reduced = [[self.scale(x) @ self.basis for x in group] for group in groups]
        self.networks = [
            train(batches(reduced, copied, np.random.default_rng(seed)), seed)
            for _, copied in KINDS
        ]
        # Subtracted from the logit.
        self.zero = 0.0

    def __call__(self, rows):
        hidden, bias, out, constant = self.layers()
        active = np.maximum(self.scale(rows) @ hidden + bias, 0)
        return active @ out + constant

    def layers(self):
        """The networks as one: hidden weights and bias, weights and bias of the logit."""
        kinds = [(share, nets) for (share, _), nets in zip(KINDS, self.networks, strict=True)]
        return (
            np.concatenate([self.basis @ w for _, nets in kinds for w in nets["hidden"]], 1),
            np.concatenate([nets["bias"].ravel() for _, nets in kinds]),
            np.concatenate([share / NETWORKS * nets["out"].ravel() for share, nets in kinds]),
            sum(share * float(nets["constant"].mean()) for share, nets in kinds) - self.zero,
        )


def batches(groups, copied, random):
    """Rows [STEPS, BATCH, components], the first half of people, of sources drawn alike."""
    half = BATCH // 2
    parts = []
    for sources, share in zip(groups, (half, half - copied, copied), strict=True):
        if share > 0:
            counts = np.array([len(x) for x in sources])
            chosen = random.integers(0, len(sources), (STEPS, share))
            within = (random.random((STEPS, share)) * counts[chosen]).astype(int)
            starts = np.concatenate([[0], np.cumsum(counts)[:-1]])
            parts.append(np.concatenate(sources)[starts[chosen] + within])
    return np.concatenate(parts, 1).astype("float32")


def train(data, seed):
    """Networks of one kind, all at once on the same batches: they differ in start and dropout."""
    random = np.random.default_rng(seed)
    parameters = {
        "hidden": random.standard_normal((NETWORKS, COMPONENTS, HIDDEN)) * np.sqrt(2 / COMPONENTS),
        "bias": np.zeros((NETWORKS, HIDDEN)),
        "out": random.standard_normal((NETWORKS, HIDDEN)) / np.sqrt(HIDDEN),
        "constant": np.zeros(NETWORKS),
    }
    parameters = {name: jnp.asarray(value, jnp.float32) for name, value in parameters.items()}
    fitted = descend(parameters, jnp.asarray(data), jax.random.key(seed))
    return {name: np.asarray(value) for name, value in fitted.items()}


@jax.jit
def descend(parameters, data, key):
    """All steps of the descent, compiled."""
    schedule = optax.cosine_decay_schedule(LEARNING_RATE, STEPS)
    optimiser = optax.adamw(schedule, weight_decay=WEIGHT_DECAY)
    labels = jnp.repeat(jnp.array([0.0, 1.0]), BATCH // 2) * (1 - SMOOTHING) + SMOOTHING / 2

    def loss(parameters, rows, key):
        first, second = jax.random.split(key)
        shape = (NETWORKS, 1, COMPONENTS)
        kept = jax.random.bernoulli(first, 1 - DROPOUT, shape) / (1 - DROPOUT)
        hidden = jnp.einsum("nrc,nch->nrh", rows * kept, parameters["hidden"])
        active = jax.nn.relu(hidden + parameters["bias"][:, None])
        kept = jax.random.bernoulli(second, 1 - DROPOUT, active.shape) / (1 - DROPOUT)
        logits = jnp.einsum("nrh,nh->nr", active * kept, parameters["out"])
        logits += parameters["constant"][:, None]
        return optax.sigmoid_binary_cross_entropy(logits, labels).mean(1).sum()

    def step(carry, inputs):
        parameters, state = carry
        updates, state = optimiser.update(jax.grad(loss)(parameters, *inputs), state, parameters)
        return (optax.apply_updates(parameters, updates), state), None

    start = (parameters, optimiser.init(parameters))
    (parameters, _), _ = jax.lax.scan(step, start, (data, jax.random.split(key, STEPS)))
    return parameters
