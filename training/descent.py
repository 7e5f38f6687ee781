"""What the classifiers of frames have in common: gradient descent, and lengths to compile for."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
import optax

MAX_GRADIENT = 1.0
# The loss is printed every REPORTED_STEPS, as the mean of the last AVERAGED_STEPS.
REPORTED_STEPS, AVERAGED_STEPS = 500, 200
# Parameters that are not trained: the normalisation of the states.
FIXED = ("mean", "deviation")
# Of a state in the sample that the normalisation is from.
MIN_DEVIATION = 1e-3


def split_parameters(parameters):
    """Those that are trained, and the normalisation."""
    trained = {k: jnp.asarray(v) for k, v in parameters.items() if k not in FIXED}
    return trained, {k: jnp.asarray(parameters[k]) for k in FIXED}


def clipped_adam(schedule, weight_decay):
    return optax.chain(
        optax.clip_by_global_norm(MAX_GRADIENT),
        optax.adamw(schedule, weight_decay=weight_decay),
    )


def descend(trained, optimiser, loss, batches):
    """Yields the weights after each step; the next step takes their memory.

    `loss`: of the weights and a batch, (inputs, targets).
    """

    @functools.partial(jax.jit, donate_argnums=(0, 1))
    def step(trained, state, inputs, targets):
        value, gradient = jax.value_and_grad(loss)(trained, inputs, targets)
        updates, state = optimiser.update(gradient, state, trained)
        return optax.apply_updates(trained, updates), state, value

    state, mean = optimiser.init(trained), 0.0
    for number, batch in enumerate(batches, start=1):
        trained, state, value = step(trained, state, *batch)
        yield trained
        mean += (float(value) - mean) / min(number, AVERAGED_STEPS)
        if number % REPORTED_STEPS == 0:
            print(f"  step {number}: loss {mean:.3f}", flush=True)


def in_whole_steps(states, step):
    """States [frames, input] whose last is repeated up to a multiple of `step` frames."""
    return np.pad(states, ((0, -len(states) % step), (0, 0)), mode="edge")
