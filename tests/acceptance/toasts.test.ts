import { describe, expect, it } from 'vitest';
import { call, detail, newUser } from './black-box.ts';

const DEVICE = '/v1/devices/register-toast';

describe('POST /v1/devices/register-toast', () => {
  it('answers 200 with the device and whether pushes take the place of toasts on it [R1168 R1169 R1170 R1171 R1174 R1175]', async () => {
    const user = await newUser();
    expect(await user.post(DEVICE, { device_id: 'phone' })).toMatchObject({
      status: 200,
      body: { registered: true, device_id: 'phone', apns_fallback_enabled: false },
    });
    const apns = { device_token: 'ab12', environment: 'production', fallback_enabled: true };
    const again = await user.post(DEVICE, { device_id: 'phone', bundle_id: 'org.example.app', apns });
    expect(again.body).toEqual({ registered: true, device_id: 'phone', apns_fallback_enabled: true });
    expect((await user.post(DEVICE, { device_id: 'phone', apns: { device_token: null } })).body).toMatchObject({ apns_fallback_enabled: false });
  });

  it('answers 400 without a device or to a wrong type, 422 to what is out of range [R1168 R1172]', async () => {
    const user = await newUser();
    for (const body of [{}, { device_id: 5 }, { device_id: 'd', apns: 'yes' }]) expect((await user.post(DEVICE, body)).status).toBe(400);
    for (const body of [{ device_id: '' }, { device_id: 'x'.repeat(201) }, { device_id: 'd', apns: { environment: 'development' } }])
      expect((await user.post(DEVICE, body)).status).toBe(422);
  });

  it('answers 401 without a token', async () => {
    const answer = await call('POST', DEVICE, { body: { device_id: 'd' } });
    expect([answer.status, answer.body]).toEqual([401, detail('Missing Bearer token')]);
  });

  it('answers 429 above 30 in a minute, counted apart from the tokens of sockets [R1188]', async () => {
    const user = await newUser();
    const statuses: number[] = [];
    for (let n = 0; n < 31; n += 1) statuses.push((await user.post(DEVICE, { device_id: 'd' })).status);
    expect(statuses).toEqual([...Array<number>(30).fill(200), 429]);
    expect((await user.post('/v1/sessions/toast-bootstrap', {})).status).toBe(200);
  });
});

describe('GET /v1/toasts', () => {
  it('answers 200 with the caller’s toasts [R1186 R1187]', async () => {
    expect(await (await newUser()).get('/v1/toasts')).toMatchObject({ status: 200, body: { items: [] } });
  });

  it('answers 422 to a limit outside 1 to 200 [R1185]', async () => {
    const user = await newUser();
    for (const limit of ['0', '201', '-1', 'many', '1.5']) expect((await user.get(`/v1/toasts?limit=${limit}`)).status).toBe(422);
    for (const limit of ['1', '200']) expect((await user.get(`/v1/toasts?limit=${limit}`)).status).toBe(200);
  });

  it('answers 401 without a token', async () => {
    expect((await call('GET', '/v1/toasts')).status).toBe(401);
  });

  it('answers 429 above 60 in a minute [R1190]', async () => {
    const user = await newUser();
    const statuses: number[] = [];
    for (let n = 0; n < 61; n += 1) statuses.push((await user.get('/v1/toasts')).status);
    expect(statuses).toEqual([...Array<number>(60).fill(200), 429]);
  });
});
