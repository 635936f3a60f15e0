import { parentPort } from 'node:worker_threads';
import { pageText, type RawPage } from './page-text.ts';
import type { PageAnswer } from './open-page-reader.ts';

parentPort?.on('message', (page: RawPage) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(answerTo(page));
});

function answerTo(page: RawPage): PageAnswer {
  try {
    return pageText(page);
  } catch (error) {
    return { failed: error instanceof Error ? error.message : String(error) };
  }
}
