import { expect, it } from 'vitest';
import { ConfigError } from '../config/config.ts';
import { whyNotListening } from './why-not-listening.ts';

const failure = (code: string) => Object.assign(new Error(`listen ${code}: permission denied 127.0.0.1:80`), { code });

it('says in a sentence which setting is wrong, and leaves other failures as they are', () => {
  const told = whyNotListening(failure('EACCES'), { host: '127.0.0.1', port: 80 });
  expect(told).toBeInstanceOf(ConfigError);
  expect((told as Error).message).toBe('PORT 80 is not for this user: let PORT name one above 1023.');
  const other = failure('EMFILE');
  expect(whyNotListening(other, { host: '127.0.0.1', port: 80 })).toBe(other);
});
