import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { KEPT_IN } from './kept-work.ts';

/**
 * Keeps the compiled form of every module loaded from now on, until its text changes: half of a later start is reading
 * modules. Where nothing can be written they are compiled each time.
 */
export const keepCompiledCode = (): void => void enableCompileCache(join(KEPT_IN, 'code'));
