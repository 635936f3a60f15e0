import { parentPort } from 'node:worker_threads';
import { Resvg } from '@resvg/resvg-js';
import pdfmake from 'pdfmake';
import { FONT_FILES, FONTS } from './fonts.ts';
import type { PrintAnswer, PrintTask } from './open-printer.ts';
import { drawnLabels } from './set-labels.ts';
import { documentDefinition } from './set-document.ts';

// Only the fonts are read, and nothing is fetched, whatever a document says.
const files = new Set(FONT_FILES);
pdfmake.setFonts(FONTS);
pdfmake.setLocalAccessPolicy((path) => files.has(path));
pdfmake.setUrlAccessPolicy(() => false);

parentPort?.on('message', async (task: PrintTask) => {
  const answer = await work(task);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(answer);
});

async function work(task: PrintTask): Promise<PrintAnswer> {
  try {
    const bytes = task.kind === 'pdf' ? await pdfmake.createPdf(documentDefinition(task.document)).getBuffer() : rasterise(task.svg, task.width);
    return { bytes: new Uint8Array(bytes) };
  } catch (error) {
    return { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

function rasterise(svg: string, width: number): Uint8Array {
  const drawn = new Resvg(drawnLabels(svg), {
    fitTo: { mode: 'width', value: width },
    font: { fontFiles: [...FONT_FILES], loadSystemFonts: false, defaultFontFamily: 'Inter' },
  });
  return drawn.render().asPng();
}
