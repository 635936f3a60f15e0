/** A page reduced to what it says. `url` is where redirects ended. */
export type PageText = { url: string; title: string; text: string; publishedAt: string | null };

/** Reads pages of the public web, and only those. */
export type PageReader = {
  /** @throws PageRefused, PageFailed */
  read(url: string, signal: AbortSignal): Promise<PageText>;
  /** Makes ready for pages that will be read soon. */
  prepare(): void;
  /** Ends what reads pages at the moment. */
  close(): Promise<void>;
};

/** The address must not be fetched: not public, denied, or forbidden by robots.txt. */
export class PageRefused extends Error {
  override name = 'PageRefused';
}

/** The page could not be had: no answer, an error status, too large, not text. */
export class PageFailed extends Error {
  override name = 'PageFailed';
}
