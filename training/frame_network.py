"""A small convolutional classifier of frames over encoder states, in JAX."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
import optax

CONVOLUTIONS = 3
WINDOW_FRAMES = 64
BATCH_WINDOWS = 48
FIXED = ("mean", "deviation")
LEARNING_RATE, WEIGHT_DECAY, MAX_GRADIENT, SMOOTHING = 2e-3, 1e-4, 1.0, 0.05
# The loss is printed every REPORTED_STEPS, as the mean of the last AVERAGED_STEPS.
REPORTED_STEPS, AVERAGED_STEPS = 500, 200
NORMALISATION_FRAMES, MIN_DEVIATION = 20_000, 1e-3
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


def optimiser_step(optimiser, fixed):
    """One step of training, compiled: parameters, state, inputs and labels to the next and loss."""

    def loss(trained, inputs, labels):
        return smoothed_cross_entropy(network({**trained, **fixed}, inputs), labels)

    @functools.partial(jax.jit, donate_argnums=(0, 1))
    def step(trained, state, inputs, labels):
        value, gradient = jax.value_and_grad(loss)(trained, inputs, labels)
        updates, state = optimiser.update(gradient, state, trained)
        return optax.apply_updates(trained, updates), state, value

    return step


def train(parameters, states, labels, steps, random):
    """Adam over random windows; the normalisation stays as it is."""
    schedule = optax.cosine_decay_schedule(LEARNING_RATE, steps)
    optimiser = optax.chain(
        optax.clip_by_global_norm(MAX_GRADIENT),
        optax.adamw(schedule, weight_decay=WEIGHT_DECAY),
    )
    step = optimiser_step(optimiser, {k: jnp.asarray(parameters[k]) for k in FIXED})
    trained = {k: jnp.asarray(v) for k, v in parameters.items() if k not in FIXED}
    state, mean = optimiser.init(trained), 0.0
    offsets = np.arange(WINDOW_FRAMES)
    for number in range(1, steps + 1):
        at = random.integers(0, len(states) - WINDOW_FRAMES, BATCH_WINDOWS)[:, None] + offsets
        trained, state, value = step(trained, state, states[at], labels[at].astype("int32"))
        mean += (float(value) - mean) / min(number, AVERAGED_STEPS)
        if number % REPORTED_STEPS == 0:
            print(f"  step {number}: loss {mean:.3f}", flush=True)
    return {**parameters, **{k: np.asarray(v) for k, v in trained.items()}}


_run = jax.jit(network)


def log_probabilities(parameters, states):
    """Log-probabilities [frames, classes]; lengths are rounded up to limit compiled shapes."""
    length = -(-len(states) // ROUNDED_FRAMES) * ROUNDED_FRAMES
    padded = np.zeros((length, states.shape[1]), "float16")
    padded[: len(states)] = states
    padded[len(states) :] = states[-1]
    return np.asarray(_run(parameters, padded[None]))[0][: len(states)]
