import { z } from 'zod';
import { defineEvent } from '#platform/domain-events/domain-events.ts';

export const ProjectCreated = defineEvent('project.created', z.object({ projectId: z.uuid(), userId: z.string() }));

/** Key of the project's channel: numbered events that a client may subscribe to. */
export const projectChannel = (projectId: string): string => `project:${projectId}`;
