// The live microphone: words appear while somebody speaks, solid once they are stable.
import { at, attempt, button, byId, clock, h, languageName, lengthText, say } from './dom.js';
import { openLiveStream } from './live-stream.js';
import { openMicrophone, sampleRate, toWav } from './microphone.js';
import { newKey } from './service.js';
import { whenSignedIn } from './session.js';

/** A little less than the stream takes, because frames are on their way when it ends. */
const maxSeconds = 59;
const minSeconds = 0.5;

whenSignedIn(async (service) => {
  let stop = null;
  const listen = async () => {
    byId('record').disabled = true;
    try {
      stop = await record(service, () => stop?.());
      byId('record').textContent = 'Stop';
      byId('record').setAttribute('aria-pressed', 'true');
    } catch (error) {
      byId('heard').classList.remove('listening');
      throw error;
    } finally {
      byId('record').disabled = false;
    }
  };
  byId('record').addEventListener('click', () => {
    if (stop) stop();
    else void attempt(listen);
  });
  /** Starts a recording. @returns ends it and shows its result */
  async function record(client, end) {
    say('');
    byId('outcome').hidden = true;
    const words = createWords();
    const frames = [];
    let samples = 0;
    let stream = null;
    const closeMicrophone = await openMicrophone((frame, peak) => {
      samples += frame.length;
      frames.push(frame);
      stream?.send(frame);
      byId('level').value = peak;
      byId('clock').textContent = clock(samples / sampleRate);
      if (samples >= maxSeconds * sampleRate) end();
    });
    try {
      const opened = openLiveStream(await client.clientToken(), (message) => words.show(message));
      await opened.ready;
      // What was spoken while the stream was being opened belongs to the recording.
      for (const frame of frames) opened.send(frame);
      stream = opened;
    } catch (error) {
      closeMicrophone();
      throw error;
    }
    stream.final.catch(() => end());
    return () => {
      stop = null;
      closeMicrophone();
      byId('level').value = 0;
      byId('record').textContent = 'Start';
      byId('record').setAttribute('aria-pressed', 'false');
      void attempt(async () => {
        if (samples < minSeconds * sampleRate) {
          stream.close();
          throw new Error('Nothing was recorded: speak for at least half a second.');
        }
        stream.commit();
        words.wait();
        const final = await stream.final.finally(() => words.clear());
        showOutcome(client, final, toWav(frames));
      });
    };
  }
});

/** The transcript: stable words are added, the tail is replaced. */
function createWords() {
  const [stable, tail] = [byId('stable'), byId('tail')];
  stable.textContent = '';
  tail.textContent = '';
  byId('heard').classList.add('listening');
  const textOf = (words) => words.map(({ word }) => word).join(' ');
  return {
    show(message) {
      if (message.type !== 'interim') return;
      const added = textOf(message.stable);
      if (added !== '') stable.append(stable.textContent === '' ? added : ` ${added}`);
      tail.textContent = textOf(message.tail);
    },
    wait: () => say('Finishing the transcript…'),
    clear() {
      say('');
      byId('heard').classList.remove('listening');
    },
  };
}

function showOutcome(service, final, sound) {
  byId('stable').textContent = final.text;
  byId('tail').textContent = '';
  const facts = [
    `${lengthText(final.audio_seconds)} of ${languageName(final.language)}`,
    `charged as ${final.usage.billable_seconds} s`,
  ].join(', ');
  byId('outcome-facts').textContent =
    final.text === '' ? `No speech was recognised. ${facts}.` : `${facts}. It is not kept.`;
  const analyse = button('Analyse and keep it', () => attempt(() => keep(service, sound)));
  const copy = button('Copy the text', () => attempt(() => copyText(final.text)));
  byId('outcome-actions').replaceChildren(...(final.text === '' ? [] : [copy]), analyse);
  byId('outcome').hidden = false;
}

async function copyText(text) {
  await navigator.clipboard.writeText(text);
  say('Copied.');
}

/** Sends the sound as a recording like any other, and follows it to its page. */
async function keep(service, sound) {
  const name = `Microphone, ${new Date().toLocaleString('en')}.wav`;
  byId('outcome-actions').replaceChildren(h('span', { class: 'quiet' }, 'Sending it…'));
  const file = new File([sound], name, { type: 'audio/wav' });
  const { id } = await service.upload(file, () => {});
  const items = [{ custom_id: name, file_id: id }];
  const order = { task: 'analysis', items, metadata: { name } };
  const batch = await service.start(order, newKey());
  await service.watch(batch.id, () => {});
  location.assign(at(`console/recording?batch=${batch.id}&item=0`));
}
