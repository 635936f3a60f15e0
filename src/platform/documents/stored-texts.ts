import { z } from 'zod';
import { defineDocument } from './define-document.ts';

/** A list of texts, such as warnings. */
export const storedTexts = defineDocument('list of texts', z.array(z.string()), { version: 1, checks: 'older' });
