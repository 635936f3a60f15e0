import { keepCompiledCode } from './platform/kept/compiled-code.ts';

keepCompiledCode();
await import('./run-service.ts');
