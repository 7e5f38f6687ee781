"""A small convolutional classifier of frames over encoder states, in JAX."""

import functools
import time

import jax
import jax.numpy as jnp
import numpy as np
import optax

WINDOW_FRAMES = 64
BATCH_WINDOWS = 48
FIXED = ("mean", "deviation")


def network(parameters, inputs):
    """Log-probabilities [batch, frames, classes] from states [batch, frames, input]."""

    def convolve(x, number):
        return (
            jax.lax.conv_general_dilated(
                x, parameters[f"w{number}"], (1,), "SAME", dimension_numbers=("NWC", "WIO", "NWC")
            )
            + parameters[f"b{number}"]
        )

    x = (inputs.astype(jnp.float32) - parameters["mean"]) / parameters["deviation"]
    x = jax.nn.relu(convolve(x, 1))
    x = jax.nn.relu(convolve(x, 2))
    return jax.nn.log_softmax(convolve(x, 3))


def fresh_parameters(states, hidden, widths, classes, random):
    """Normalisation from a sample of the states, weights by He's rule."""

    def weight(width, size_in, size_out):
        scale = np.sqrt(2 / (width * size_in))
        return (random.standard_normal((width, size_in, size_out)) * scale).astype("float32")

    sample = states[random.integers(0, len(states), 20_000)].astype("float32")
    sizes = (states.shape[1], hidden, hidden, classes)
    parameters = {"mean": sample.mean(0), "deviation": sample.std(0) + 1e-3}
    for i, width in enumerate(widths):
        # The last layer starts at half of it, so that no class is sure of itself at first.
        gain = 0.5 if i == len(widths) - 1 else 1
        parameters[f"w{i + 1}"] = weight(width, sizes[i], sizes[i + 1]) * gain
        parameters[f"b{i + 1}"] = np.zeros(sizes[i + 1], "float32")
    return parameters


def train(parameters, states, labels, steps, random, rate=2e-3):
    """Cross-entropy with smoothed labels over random windows; the normalisation stays as it is."""
    optimiser = optax.chain(
        optax.clip_by_global_norm(1.0),
        optax.adamw(optax.cosine_decay_schedule(rate, steps), weight_decay=1e-4),
    )
    fixed = {k: jnp.asarray(parameters[k]) for k in FIXED}
    trained = {k: jnp.asarray(v) for k, v in parameters.items() if k not in FIXED}
    state = optimiser.init(trained)

    def loss(p, x, y):
        logs = network({**p, **fixed}, x)
        smooth = 0.95 * jnp.take_along_axis(logs, y[..., None], -1)[..., 0] + 0.05 * logs.mean(-1)
        return -smooth.mean()

    @functools.partial(jax.jit, donate_argnums=(0, 1))
    def step(p, s, x, y):
        value, gradient = jax.value_and_grad(loss)(p, x, y)
        updates, s = optimiser.update(gradient, s, p)
        return optax.apply_updates(p, updates), s, value

    started, mean = time.time(), 0.0
    offsets = np.arange(WINDOW_FRAMES)
    for number in range(steps):
        at = random.integers(0, len(states) - WINDOW_FRAMES, BATCH_WINDOWS)[:, None] + offsets
        trained, state, value = step(trained, state, states[at], labels[at].astype("int32"))
        mean += (float(value) - mean) / min(number + 1, 200)
        if (number + 1) % 500 == 0:
            print(
                f"  step {number + 1}: loss {mean:.3f}, {time.time() - started:.0f} s", flush=True
            )
    return {**parameters, **{k: np.asarray(v) for k, v in trained.items()}}


_run = jax.jit(network)


def log_probabilities(parameters, states):
    """[frames, classes]; lengths are rounded up, so that few shapes are compiled."""
    length = -(-len(states) // 64) * 64
    padded = np.zeros((length, states.shape[1]), "float16")
    padded[: len(states)] = states
    padded[len(states) :] = states[-1]
    return np.asarray(_run(parameters, padded[None]))[0][: len(states)]


def evaluate_frames(parameters, pairs):
    """Recall per class over (states, labels) pairs."""
    said = np.concatenate([log_probabilities(parameters, s).argmax(1) for s, _ in pairs])
    true = np.concatenate([labels for _, labels in pairs])
    return {int(c): round(float((said[true == c] == c).mean()), 3) for c in np.unique(true)}
