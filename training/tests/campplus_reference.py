"""CAM++ and Kaldi's filter bank a second time, for the tests of the graph.

Kaldi's features by the steps of its feature-window.cc and mel-computations.cc, frame by frame in
float64; the network by the description of Wang et al. (2023), in JAX, on the tensors of the
checkpoint.
"""

import jax
import jax.numpy as jnp
import numpy as np

RATE, FRAME, HOP, N_FFT, MELS, WINDOW_FRAMES = 16_000, 400, 160, 512, 80, 158
LOWEST_HERTZ = 20
BLOCKS = ((12, 1), (24, 2), (16, 2))
EPSILON = 1e-5


def mel(hertz):
    return 1127 * np.log(1 + hertz / 700)


def mel_bank():
    """Weights [MELS, N_FFT / 2], one triangle at a time."""
    low, high = mel(LOWEST_HERTZ), mel(RATE / 2)
    step = (high - low) / (MELS + 1)
    bank = np.zeros((MELS, N_FFT // 2))
    for band in range(MELS):
        left, centre, right = (low + (band + i) * step for i in range(3))
        for index in range(N_FFT // 2):
            at = mel(index * RATE / N_FFT)
            if left < at < right:
                rising, falling = (at - left) / (centre - left), (right - at) / (right - centre)
                bank[band, index] = min(rising, falling)
    return bank


def log_mel(samples, frames=WINDOW_FRAMES):
    """Features [MELS, frames] of one window, less their mean over time."""
    bank = mel_bank()
    povey = np.hanning(FRAME) ** 0.85
    rows = []
    for number in range(frames):
        frame = samples[number * HOP : number * HOP + FRAME].astype("float64")
        frame = frame - frame.mean()
        before = np.concatenate([frame[:1], frame[:-1]])
        power = np.abs(np.fft.rfft((frame - 0.97 * before) * povey, N_FFT)) ** 2
        rows.append(np.log(np.maximum(bank @ power[:-1], np.finfo("float32").eps)))
    features = np.stack(rows, axis=1)
    return features - features.mean(1, keepdims=True)


class Campplus:
    """The network in inference, on one window."""

    def __init__(self, tensors):
        self.tensors = tensors

    def conv(self, x, name, stride=(1,), pad=0, dilation=1):
        weight = self.tensors[f"{name}.weight"]
        spatial = weight.ndim - 2
        pads = [(pad, pad)] * spatial
        strides = stride if len(stride) == spatial else stride * spatial
        y = jax.lax.conv_general_dilated(
            x, weight, strides, pads, rhs_dilation=(dilation,) * spatial
        )
        bias = self.tensors.get(f"{name}.bias")
        return y if bias is None else y + bias.reshape(1, -1, *[1] * spatial)

    def norm(self, x, name):
        def part(which, default):
            values = self.tensors.get(f"{name}.{which}", default)
            return np.reshape(values, (1, -1) + (1,) * (x.ndim - 2))

        centred = (x - part("running_mean", 0)) / jnp.sqrt(part("running_var", 1) + EPSILON)
        return centred * part("weight", 1.0) + part("bias", 0.0)

    def active(self, x, name):
        return jax.nn.relu(self.norm(x, name))

    def residual_block(self, x, name, stride):
        y = self.active(self.conv(x, f"{name}.conv1", (stride, 1), 1), f"{name}.bn1")
        y = self.norm(self.conv(y, f"{name}.conv2", pad=1), f"{name}.bn2")
        if f"{name}.shortcut.0.weight" in self.tensors:
            x = self.norm(self.conv(x, f"{name}.shortcut.0", (stride, 1)), f"{name}.shortcut.1")
        return jax.nn.relu(x + y)

    def front(self, x):
        """Two-dimensional convolutions, which halve the bands three times."""
        x = self.active(self.conv(x, "head.conv1", pad=1), "head.bn1")
        for layer in (1, 2):
            for block, stride in ((0, 2), (1, 1)):
                x = self.residual_block(x, f"head.layer{layer}.{block}", stride)
        x = self.active(self.conv(x, "head.conv2", (2, 1), 1), "head.bn2")
        return x.reshape(1, -1, x.shape[-1])

    def masked_layer(self, x, name, dilation):
        """A local convolution under a mask of the context: whole and segment means are one here."""
        x = self.conv(self.active(x, f"{name}.nonlinear1.batchnorm"), f"{name}.linear1")
        x = self.active(x, f"{name}.nonlinear2.batchnorm")
        local = self.conv(x, f"{name}.cam_layer.linear_local", pad=dilation, dilation=dilation)
        context = 2 * x.mean(-1, keepdims=True)
        context = jax.nn.relu(self.conv(context, f"{name}.cam_layer.linear1"))
        return local * jax.nn.sigmoid(self.conv(context, f"{name}.cam_layer.linear2"))

    def first_layers(self, features):
        """Of features [MELS, frames]: the maps, the first dense layer, the end of its block."""
        maps = self.front(jnp.asarray(features, "float32")[None, None])
        x = self.conv(maps, "xvector.tdnn.linear", (2,), 2)
        first = self.active(x, "xvector.tdnn.nonlinear.batchnorm")
        x = first
        for layer in range(1, BLOCKS[0][0] + 1):
            name = f"xvector.block1.tdnnd{layer}"
            x = jnp.concatenate([x, self.masked_layer(x, name, BLOCKS[0][1])], 1)
        dense = self.active(x, "xvector.transit1.nonlinear.batchnorm")
        return [np.asarray(y[0], "float64") for y in (maps, first, dense)]

    def __call__(self, features):
        """Embedding [192] of features [MELS, WINDOW_FRAMES]."""
        x = self.front(jnp.asarray(features, "float32")[None, None])
        x = self.conv(x, "xvector.tdnn.linear", (2,), 2)
        x = self.active(x, "xvector.tdnn.nonlinear.batchnorm")
        for block, (layers, dilation) in enumerate(BLOCKS, 1):
            for layer in range(1, layers + 1):
                y = self.masked_layer(x, f"xvector.block{block}.tdnnd{layer}", dilation)
                x = jnp.concatenate([x, y], axis=1)
            x = self.active(x, f"xvector.transit{block}.nonlinear.batchnorm")
            x = self.conv(x, f"xvector.transit{block}.linear")
        x = self.active(x, "xvector.out_nonlinear.batchnorm")
        pooled = jnp.concatenate([x.mean(-1), x.std(-1, ddof=1)], axis=1)
        x = self.conv(pooled[..., None], "xvector.dense.linear")[..., 0]
        return np.asarray(self.norm(x, "xvector.dense.nonlinear.batchnorm"))[0]
