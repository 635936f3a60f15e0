import { z } from 'zod';
import { notFound, upstream } from '#lib/errors.ts';
import { findProject } from '#features/projects';
import type { Needs } from '#platform/context.ts';
import { ContentFailed, type ContentPage } from '#platform/ports/content-store/port.ts';
import { findPublisher, isWithdrawn } from './clip-store.ts';
import type { Subject } from './vote-store.ts';

/** @throws AppError 502 in place of what the content store throws */
export async function askStore<T>({ log }: Needs<'log'>, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof ContentFailed)) throw error;
    log.warn({ why: error.message }, 'the content store failed');
    throw upstream('The page cannot be had from the content store now. Try again later.', error);
  }
}

/**
 * A published page.
 * @throws AppError 404 when there is none or it is not published, 502 when the content store fails
 */
export async function getClip(ctx: Needs<'db' | 'content' | 'log'>, slug: string): Promise<ContentPage> {
  const page = (await isWithdrawn(ctx.db, slug)) ? null : await askStore(ctx, () => ctx.content.find(slug));
  if (!page?.published) throw notFound('Clip');
  return page;
}

/**
 * Nothing, when the page was published by the user or is about a project of theirs.
 * @throws AppError 404 otherwise
 */
export async function checkOwner(ctx: Needs<'db' | 'content' | 'log'>, userId: string, slug: string): Promise<void> {
  const publisher = await findPublisher(ctx.db, slug);
  if (publisher === userId) return;
  const page = publisher === null ? await getClip(ctx, slug) : null;
  if (page && (await findOwner(ctx, page)) === userId) return;
  throw notFound('Clip');
}

/** Whose project a page is about; null when it is about none of this service. */
export async function findOwner({ db }: Needs<'db'>, page: ContentPage): Promise<string | null> {
  const projectId = projectOf(page);
  return projectId === null ? null : ((await findProject(db, projectId))?.user_id ?? null);
}

/** The project that the store says a page is about; what is no id counts as none. */
export const projectOf = ({ project_id: id }: ContentPage): string | null => z.uuid().nullable().safeParse(id).data ?? null;

/** What a vote on a page counts for. */
export function subjectOf(page: ContentPage): Subject {
  const projectId = projectOf(page);
  return projectId === null ? { slug: page.slug } : { projectId };
}

export const clipUrlOf = ({ config }: Needs<'config'>, slug: string): string => `${config.http.baseUrl}/clip/${encodeURIComponent(slug)}`;
