"""A residual network of dilated convolutions over encoder states, in JAX: frames by what is around.

Each block is a dilated convolution of three taps, a ReLU and a product, added to its input (as the
blocks of TCN, Bai et al. 2018, without normalisation). The last block looks at neighbours again.
"""

import jax
import jax.numpy as jnp
import numpy as np
import optax

from descent import MIN_DEVIATION, clipped_adam, descend, in_whole_steps, split_parameters

HIDDEN, DILATIONS, TAPS = 128, (1, 2, 4, 8, 16, 32, 1), 3
WINDOW_FRAMES, BATCH_WINDOWS = 320, 16
LEARNING_RATE, WARM_UP_SHARE, WEIGHT_DECAY = 1.2e-3, 0.05, 1e-3
# The weights that are kept are a running mean of those of this many steps.
MEAN_STEPS = 250
# What a block adds and what the output says starts small.
FIRST_GAIN = 0.1
NORMALISATION_RECORDINGS = 600
ROUNDED_FRAMES = 512


def network(parameters, inputs):
    """Log-probabilities [batch, frames, classes] from states [batch, frames, input]."""
    x = (inputs.astype(jnp.float32) - parameters["mean"]) / parameters["deviation"]
    x = jax.nn.relu(x @ parameters["w_in"] + parameters["b_in"])
    for number, dilation in enumerate(DILATIONS):
        around = jax.lax.conv_general_dilated(
            x,
            parameters[f"w_around{number}"],
            (1,),
            [(dilation, dilation)],
            rhs_dilation=(dilation,),
            dimension_numbers=("NWC", "WIO", "NWC"),
        )
        around = jax.nn.relu(around + parameters[f"b_around{number}"])
        x = x + around @ parameters[f"w_add{number}"] + parameters[f"b_add{number}"]
    return jax.nn.log_softmax(x @ parameters["w_out"] + parameters["b_out"])


def fresh_parameters(recordings, classes, random):
    """Normalisation from a sample of the recordings' states, weights by He's rule."""
    chosen = random.choice(len(recordings), min(len(recordings), NORMALISATION_RECORDINGS))
    sample = np.concatenate([recordings[i][0][::7] for i in chosen]).astype("float32")

    def weight(*shape, gain=1.0):
        scale = gain * np.sqrt(2 / np.prod(shape[:-1]))
        return (random.standard_normal(shape) * scale).astype("float32")

    def bias(size):
        return np.zeros(size, "float32")

    parameters = {"mean": sample.mean(0), "deviation": sample.std(0) + MIN_DEVIATION}
    parameters |= {"w_in": weight(sample.shape[1], HIDDEN), "b_in": bias(HIDDEN)}
    for number in range(len(DILATIONS)):
        parameters |= {
            f"w_around{number}": weight(TAPS, HIDDEN, HIDDEN),
            f"b_around{number}": bias(HIDDEN),
            f"w_add{number}": weight(HIDDEN, HIDDEN, gain=FIRST_GAIN),
            f"b_add{number}": bias(HIDDEN),
        }
    return parameters | {"w_out": weight(HIDDEN, classes, gain=FIRST_GAIN), "b_out": bias(classes)}


@jax.jit
def moved(mean, trained, number):
    """The running mean of the weights after so many steps (Polyak and Juditsky 1992)."""
    share = 1 / jnp.minimum(number, MEAN_STEPS)
    return jax.tree.map(lambda old, new: old + (new - old) * share, mean, trained)


def train(parameters, recordings, weights, steps, random):
    """Adam over random windows of recordings; the normalisation stays as it is.

    `recordings`: states [frames, input] and shares of the classes [frames, classes] of each; those
    that are shorter than a window are left out. `weights`: how often each is chosen.
    """
    trained, fixed = split_parameters(parameters)
    warm_up = round(WARM_UP_SHARE * steps)
    schedule = optax.warmup_cosine_decay_schedule(0, LEARNING_RATE, warm_up, steps)
    long_enough = np.array([len(states) >= WINDOW_FRAMES for states, _ in recordings])
    shares = np.where(long_enough, weights, 0.0)
    shares /= shares.sum()

    def batches():
        for _ in range(steps):
            chosen = random.choice(len(recordings), BATCH_WINDOWS, p=shares)
            windows = [random_window(*recordings[i], random) for i in chosen]
            yield tuple(np.stack(part) for part in zip(*windows, strict=True))

    def loss(trained, inputs, targets):
        logs = network({**trained, **fixed}, inputs)
        return -(targets.astype(jnp.float32) * logs).sum(-1).mean()

    kept = jax.tree.map(jnp.copy, trained)
    descent = descend(trained, clipped_adam(schedule, WEIGHT_DECAY), loss, batches())
    for number, after in enumerate(descent, start=1):
        kept = moved(kept, after, number)
    return {**parameters, **{k: np.asarray(v) for k, v in kept.items()}}


def random_window(states, targets, random):
    at = random.integers(0, len(states) - WINDOW_FRAMES + 1)
    return states[at : at + WINDOW_FRAMES], targets[at : at + WINDOW_FRAMES]


_run = jax.jit(network)


def evaluate_frames(parameters, recordings):
    """Recall per class over (states, labels) of recordings."""
    said = np.concatenate([classes_of(parameters, states) for states, _ in recordings])
    true = np.concatenate([labels for _, labels in recordings])
    return {int(c): round(float((said[true == c] == c).mean()), 3) for c in np.unique(true)}


def classes_of(parameters, states):
    """The likeliest class of each frame; lengths are rounded up, as each shape is compiled."""
    padded = in_whole_steps(states, ROUNDED_FRAMES)
    return np.asarray(_run(parameters, padded[None]))[0][: len(states)].argmax(1)
