import { describe, expect, it } from 'vitest';
import { readBlobs } from './blobs.ts';
import { readContent } from './content.ts';

const CONTENT = { CONTENT_BASE_URL: 'https://cms.example', CONTENT_API_KEY: 'a-key' };
const BLOBS = { BLOBS_ENDPOINT: 'https://s3.example', BLOBS_BUCKET: 'recordings', BLOBS_ACCESS_KEY_ID: 'id', BLOBS_SECRET_ACCESS_KEY: 'a-secret' };

describe('the settings of the content system', () => {
  it('are an address and a key, and names of collections that may be others', () => {
    expect(readContent({})).toBe(undefined);
    expect(readContent(CONTENT)).toEqual({ baseUrl: 'https://cms.example', apiKey: 'a-key', collection: 'clips', usersCollection: 'users' });
    expect(readContent({ ...CONTENT, CONTENT_COLLECTION: 'pages', CONTENT_USERS_COLLECTION: 'machines' })).toMatchObject({
      collection: 'pages',
      usersCollection: 'machines',
    });
  });

  it.each([
    [{ CONTENT_API_KEY: 'a-key' }, 'CONTENT_API_KEY is set without CONTENT_BASE_URL.'],
    [{ CONTENT_BASE_URL: 'https://cms.example' }, 'CONTENT_BASE_URL is set without CONTENT_API_KEY.'],
    [{ CONTENT_COLLECTION: 'pages' }, 'CONTENT_COLLECTION is set without CONTENT_BASE_URL and CONTENT_API_KEY.'],
    [{ ...CONTENT, CONTENT_BASE_URL: 'cms' }, 'CONTENT_BASE_URL must be an http or https URL; it is "cms".'],
    [{ ...CONTENT, CONTENT_COLLECTION: 'a/b' }, 'CONTENT_COLLECTION must be the slug of a collection, such as "clips"; it is "a/b".'],
  ])('are refused: %j', (env, sentence) => {
    expect(() => readContent(env)).toThrow(sentence);
  });
});

describe('the settings of the bucket', () => {
  it('are an endpoint, a bucket and a key of two parts', () => {
    expect(readBlobs({})).toBe(undefined);
    const of = { endpoint: 'https://s3.example', bucket: 'recordings', region: 'auto', accessKeyId: 'id', secretAccessKey: 'a-secret' };
    expect(readBlobs(BLOBS)).toEqual(of);
    expect(readBlobs({ ...BLOBS, BLOBS_REGION: 'eu-central-1' })).toEqual({ ...of, region: 'eu-central-1' });
  });

  it.each([
    [{ ...BLOBS, BLOBS_SECRET_ACCESS_KEY: undefined }, 'BLOBS_ENDPOINT is set without BLOBS_SECRET_ACCESS_KEY.'],
    [{ BLOBS_REGION: 'auto' }, 'BLOBS_REGION is set without BLOBS_ENDPOINT and BLOBS_BUCKET and BLOBS_ACCESS_KEY_ID and BLOBS_SECRET_ACCESS_KEY.'],
    [{ ...BLOBS, BLOBS_ENDPOINT: 'ftp://s3.example' }, 'BLOBS_ENDPOINT must be an http or https URL'],
    [{ ...BLOBS, BLOBS_BUCKET: '../other' }, 'BLOBS_BUCKET must be the name of a bucket; it is "../other".'],
  ])('are refused: %j', (env, sentence) => {
    expect(() => readBlobs(env)).toThrow(sentence);
  });
});
