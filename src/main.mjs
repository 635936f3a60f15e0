import { keepCompiledCode } from './platform/kept/compiled-code.mjs';

keepCompiledCode();
await import('./run-service.ts');
