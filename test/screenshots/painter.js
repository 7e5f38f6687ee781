// Runs in a browser: pictures are made small, and small pictures compared.

async function pixelsOf(source, width) {
  const picture = await createImageBitmap(await (await fetch(source)).blob());
  const height = Math.max(1, Math.round((picture.height * width) / picture.width));
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, 0, 0, width, height);
  return { canvas, height, data: context.getImageData(0, 0, width, height).data };
}

/** @returns {Promise<string>} a data URL of the picture in WebP */
globalThis.shrink = async (source, width) => {
  const { canvas } = await pixelsOf(source, width);
  const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.5 });
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
};

/** Pixels of a cell's edge. */
const cell = 4;
/** Mean difference of a cell's pixels, of 255, from which one sees it. */
const visible = 20;

/** @returns {Promise<{ cells: number, height: number }>} shares that differ, 0-1 */
globalThis.compare = async (source, golden, width) => {
  const [now, before] = await Promise.all([pixelsOf(source, width), pixelsOf(golden, width)]);
  const rows = Math.floor(Math.min(now.height, before.height) / cell);
  const columns = Math.floor(width / cell);
  let differing = 0;
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const differs = (channel) => cellOf(now, channel) - cellOf(before, channel);
      const cellOf = ({ data }, channel) => {
        let sum = 0;
        for (let y = row * cell; y < (row + 1) * cell; y += 1) {
          for (let x = column * cell; x < (column + 1) * cell; x += 1) {
            sum += data[4 * (y * width + x) + channel];
          }
        }
        return sum / cell ** 2;
      };
      if ([0, 1, 2].some((channel) => Math.abs(differs(channel)) > visible)) differing += 1;
    }
  }
  const height = Math.abs(now.height - before.height) / Math.max(now.height, before.height);
  return { cells: differing / (rows * columns), height };
};
