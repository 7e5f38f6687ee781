// Runs beside the page: samples of the microphone as PCM16 in frames of 40 ms, with their peak.
const frameSamples = 640;

class Capture extends AudioWorkletProcessor {
  #frame = new Int16Array(frameSamples);
  #length = 0;
  #peak = 0;

  process([[channel]]) {
    for (const sample of channel ?? []) {
      const clipped = Math.max(-1, Math.min(1, sample));
      this.#peak = Math.max(this.#peak, Math.abs(clipped));
      this.#frame[this.#length] = Math.round(clipped * 32_767);
      this.#length += 1;
      if (this.#length === frameSamples) this.#post();
    }
    return true;
  }

  #post() {
    this.port.postMessage({ frame: this.#frame, peak: this.#peak }, [this.#frame.buffer]);
    this.#frame = new Int16Array(frameSamples);
    this.#length = 0;
    this.#peak = 0;
  }
}

registerProcessor('capture', Capture);
