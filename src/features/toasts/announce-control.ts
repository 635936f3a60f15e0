import type { Needs } from '#platform/context.ts';
import { CONTROL_KINDS, type ControlKind, type ControlParams } from './control-kinds.ts';
import { CONTROL_TOPIC } from './topics.ts';

/** Tells every socket of a user what has changed; who is not connected fetches it anyway. Nothing is stored and nothing pushed. */
export async function announceControl<K extends ControlKind>(
  { relay, clock }: Needs<'relay' | 'clock'>,
  userId: string,
  kind: K,
  params: ControlParams<K>,
): Promise<void> {
  const control = { kind, params: CONTROL_KINDS[kind].parse(params), ts: clock.now().toISOString() };
  await relay.publish({ userId, topic: CONTROL_TOPIC }, { type: 'control', control }, { droppable: true });
}
