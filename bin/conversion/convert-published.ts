// `node bin/conversion/convert-published.ts FILE FOLDER BITS`: writes a published ggml file as the
// files of a bundle whose matrices have so many bits, for set-up, which itself runs on any Node.
import { openModelFile } from './model-file.ts';
import { writeWhisperBundle } from './whisper-bundle.ts';
import { openGgml } from './whisper-source.ts';

const [path = '', folder = '', bits = ''] = process.argv.slice(2);
const file = openModelFile(path);
writeWhisperBundle(openGgml(file), folder, Number(bits));
file.close();
