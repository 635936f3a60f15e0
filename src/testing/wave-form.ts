/** A silent recording of so many bytes: a RIFF header (44 bytes) and zeros. */
export function wave(size: number): Buffer {
  const bytes = Buffer.alloc(size);
  bytes.write('RIFF', 0, 'latin1');
  bytes.writeUInt32LE(size - 8, 4);
  bytes.write('WAVEfmt ', 8, 'latin1');
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(8000, 24);
  bytes.writeUInt32LE(8000, 28);
  bytes.writeUInt16LE(1, 32);
  bytes.writeUInt16LE(8, 34);
  bytes.write('data', 36, 'latin1');
  bytes.writeUInt32LE(size - 44, 40);
  return bytes;
}

/** A form with such a recording as `audio`, and further fields. */
export function waveForm(size: number, fields: Readonly<Record<string, string>> = {}): FormData {
  const form = new FormData();
  form.set('audio', new Blob([new Uint8Array(wave(size))]), 'a.wav');
  for (const [name, text] of Object.entries(fields)) form.set(name, text);
  return form;
}
