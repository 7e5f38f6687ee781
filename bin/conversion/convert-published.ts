// `node bin/conversion/convert-published.ts FILE FOLDER`: writes a published ggml file as the files
// of a bundle, for set-up, which itself runs on any Node.
import { openModelFile } from './model-file.ts';
import { writeWhisperBundle } from './whisper-bundle.ts';
import { openGgml } from './whisper-source.ts';

const [path = '', folder = ''] = process.argv.slice(2);
const file = openModelFile(path);
writeWhisperBundle(openGgml(file), folder);
file.close();
