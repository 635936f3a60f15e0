import { defineDocument } from '#platform/documents/define-document.ts';
import { Findings } from './schema.ts';

export const storedFindings = defineDocument('feature findings', Findings, { version: 1, checks: 'older' });
