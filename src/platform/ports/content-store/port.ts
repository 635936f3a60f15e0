/** Where public pages of blocks are kept: a content system, or our own database. */
export type ContentStore = {
  /** The page of a slug, published or not. @throws ContentFailed */
  find(slug: string): Promise<ContentPage | null>;
  /** Makes the page of its slug, or puts it in the place of the one that is there. @throws ContentFailed */
  put(page: NewContentPage): Promise<ContentPage>;
  /** Also when there is none. @throws ContentFailed */
  remove(slug: string): Promise<void>;
};

/** A block of whichever kind; what else is in it depends on `blockType`. */
export type ContentBlock = { blockType: string; [field: string]: unknown };

export type ContentPage = {
  id: string;
  slug: string;
  title: string;
  description: string;
  og_image_url: string | null;
  blocks: ContentBlock[];
  published: boolean;
  sort_order: number;
  /** What was known of the market when it was published; only on pages of briefs. */
  research: Record<string, unknown> | null;
  /** The project it is about, as far as the store knows. */
  project_id: string | null;
};

export type NewContentPage = Omit<ContentPage, 'id'>;

/** The store gave no usable answer; the sentence says why, and holds no key. */
export class ContentFailed extends Error {
  override name = 'ContentFailed';
}
