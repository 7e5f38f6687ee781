"""A small convolutional classifier of frames over encoder states, in JAX."""

from collections import deque

import jax
import jax.numpy as jnp
import numpy as np
import optax

from descent import MIN_DEVIATION, clipped_adam, descend, in_whole_steps, split_parameters

CONVOLUTIONS = 3
WINDOW_FRAMES = 64
BATCH_WINDOWS = 48
LEARNING_RATE, WEIGHT_DECAY, SMOOTHING = 2e-3, 1e-4, 0.05
NORMALISATION_FRAMES = 20_000
# Lengths are rounded up to a multiple of this: each shape is compiled.
ROUNDED_FRAMES = 64


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
    for number in range(1, CONVOLUTIONS):
        x = jax.nn.relu(convolve(x, number))
    return jax.nn.log_softmax(convolve(x, CONVOLUTIONS))


def fresh_parameters(states, hidden, widths, classes, random):
    """Normalisation from a sample of the states, weights by He's rule."""

    def weight(width, size_in, size_out):
        scale = np.sqrt(2 / (width * size_in))
        return (random.standard_normal((width, size_in, size_out)) * scale).astype("float32")

    sample = states[random.integers(0, len(states), NORMALISATION_FRAMES)].astype("float32")
    sizes = (states.shape[1], hidden, hidden, classes)
    parameters = {"mean": sample.mean(0), "deviation": sample.std(0) + MIN_DEVIATION}
    for i, width in enumerate(widths):
        # The last layer starts at half of that, so that the first outputs are close to uniform.
        gain = 0.5 if i == len(widths) - 1 else 1
        parameters[f"w{i + 1}"] = weight(width, sizes[i], sizes[i + 1]) * gain
        parameters[f"b{i + 1}"] = np.zeros(sizes[i + 1], "float32")
    return parameters


def smoothed_cross_entropy(logs, labels):
    """Cross-entropy with label smoothing, averaged over the frames."""
    own = jnp.take_along_axis(logs, labels[..., None], -1)[..., 0]
    return -((1 - SMOOTHING) * own + SMOOTHING * logs.mean(-1)).mean()


def train(parameters, states, labels, steps, random):
    """Adam over random windows; the normalisation stays as it is."""
    trained, fixed = split_parameters(parameters)
    optimiser = clipped_adam(optax.cosine_decay_schedule(LEARNING_RATE, steps), WEIGHT_DECAY)
    offsets = np.arange(WINDOW_FRAMES)

    def batches():
        for _ in range(steps):
            at = random.integers(0, len(states) - WINDOW_FRAMES, BATCH_WINDOWS)[:, None] + offsets
            yield states[at], labels[at].astype("int32")

    def loss(trained, inputs, labels):
        return smoothed_cross_entropy(network({**trained, **fixed}, inputs), labels)

    (last,) = deque(descend(trained, optimiser, loss, batches()), maxlen=1)
    return {**parameters, **{k: np.asarray(v) for k, v in last.items()}}


_run = jax.jit(network)


def log_probabilities(parameters, states):
    """Log-probabilities [frames, classes]; lengths are rounded up to limit compiled shapes."""
    padded = in_whole_steps(states.astype("float16"), ROUNDED_FRAMES)
    return np.asarray(_run(parameters, padded[None]))[0][: len(states)]
