// Runs in a browser: pictures are made small, and small pictures compared.

async function pixelsOf(source, width) {
  const picture = await createImageBitmap(await (await fetch(source)).blob());
  const height = Math.max(1, Math.round((picture.height * width) / picture.width));
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, 0, 0, width, height);
  const { data } = context.getImageData(0, 0, width, height);
  return { canvas, width, height, data };
}

/** @returns {Promise<string>} the picture in WebP, base64; a lossy one would hide small changes */
globalThis.shrink = async (source, width) => {
  const { canvas } = await pixelsOf(source, width);
  const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 1 });
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
};

/** Pixels of a cell's edge. */
const cell = 4;
/** Mean difference of a cell's pixels, of 255; two runs on one machine differ by 0.1 (ADR 62). */
const visible = 3;

/** The mean of a channel over a cell. */
function meanOf({ data, width }, { row, column, channel }) {
  let sum = 0;
  for (let y = row * cell; y < (row + 1) * cell; y += 1) {
    for (let x = column * cell; x < (column + 1) * cell; x += 1) {
      sum += data[4 * (y * width + x) + channel];
    }
  }
  return sum / cell ** 2;
}

/** @returns {Promise<{ cells: number, most: number, heights: [number, number] }>} */
globalThis.compare = async (source, golden, width) => {
  const [now, before] = await Promise.all([pixelsOf(source, width), pixelsOf(golden, width)]);
  const rows = Math.floor(Math.min(now.height, before.height) / cell);
  const columns = Math.floor(width / cell);
  let cells = 0;
  let most = 0;
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const differences = [0, 1, 2].map((channel) => {
        const place = { row, column, channel };
        return Math.abs(meanOf(now, place) - meanOf(before, place));
      });
      const largest = Math.max(...differences);
      if (largest > visible) cells += 1;
      most = Math.max(most, largest);
    }
  }
  return { cells, most, heights: [now.height, before.height] };
};
