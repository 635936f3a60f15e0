import { count, slugify } from '#lib/text.ts';
import type { ResearchArtifact } from '#features/research';
import type { ContentBlock, NewContentPage } from '#platform/ports/content-store/port.ts';
import type { PublicBrief } from './share-brief.ts';

type Told = { shareUrl: string; imageUrl: string; artifact: ResearchArtifact | null };
type ClipContent = Pick<NewContentPage, 'title' | 'description' | 'og_image_url' | 'blocks' | 'research'>;

const MOST_FEATURES = 8;
const MOST_GAPS = 5;
const MOST_RIVALS = 10;
const TAGS: Readonly<Record<string, string>> = { differentiate: 'Sets it apart', match: 'Needed to compare', expected: 'Expected' };

/** The slug of a brief's page: the same for the same brief as long as it is called the same. */
export const slugOf = ({ id, title }: { id: string; title: string }): string => `brief-${slugify(title, 48)}-${id.replaceAll('-', '').slice(0, 12)}`;

/** A brief as a page of blocks for people who know nothing of it, with a link to the whole, where every statement has its sources. */
export function clipOfBrief(brief: PublicBrief, { shareUrl, imageUrl, artifact }: Told): ClipContent {
  const { market_map: map, positioning, mvp_angle: angle } = brief;
  const pitch = angle?.wedge?.text ?? positioning?.statement?.text ?? '';
  const summary = map?.summary[0]?.text ?? '';
  const blocks: (ContentBlock | null)[] = [
    { blockType: 'hero', eyebrow: map?.category ?? '', title: brief.title, subtitle: pitch },
    map ? statsOf(map.counts) : null,
    texts('The market', map?.summary.map(({ text }) => text) ?? []),
    featuresOf(brief),
    texts(
      'Where there is room',
      (brief.market_gaps ?? []).slice(0, MOST_GAPS).map(({ description }) => description.text),
    ),
    texts('What speaks against it', angle?.risks.map(({ text }) => text) ?? []),
    { blockType: 'divider' },
    { blockType: 'voteClip', question: `Would you use ${brief.title}?`, up_label: 'Yes', down_label: 'No' },
    { blockType: 'roast_clip', prompt: 'Say what is wrong with it' },
    { blockType: 'callToAction', text: 'Every statement of the brief has its sources there.', label: 'Read the whole brief', url: shareUrl },
  ];
  return {
    title: brief.title,
    description: pitch || summary,
    og_image_url: imageUrl,
    blocks: blocks.filter((block) => block !== null),
    research: artifact && snapshotOf(artifact),
  };
}

type Counts = NonNullable<PublicBrief['market_map']>['counts'];

const statsOf = ({ products, incumbents, emerging, features }: Counts): ContentBlock => ({
  blockType: 'stats',
  heading: 'What was compared',
  items: [
    [products, 'product'],
    [incumbents, 'established one'],
    [emerging, 'emerging one'],
    [features, 'known feature'],
  ].map(([amount, name]) => ({ label: count(Number(amount), String(name)).replace(/^\d+ /, ''), value: String(amount) })),
});

const texts = (heading: string, paragraphs: readonly string[]): ContentBlock | null =>
  paragraphs.length > 0 ? { blockType: 'richText', heading, text: paragraphs.join('\n\n') } : null;

function featuresOf({ features = [] }: PublicBrief): ContentBlock | null {
  const chosen = features.filter(({ priority }) => priority in TAGS).slice(0, MOST_FEATURES);
  const items = chosen.map(({ name, description, priority }) => ({ title: name, description, tag: TAGS[priority] ?? '' }));
  return items.length > 0 ? { blockType: 'featureList', heading: 'What it would do', items } : null;
}

/** What was known of the market when the page was published; nothing of whose research it is. */
const snapshotOf = (artifact: ResearchArtifact): Record<string, unknown> => ({
  product_name: artifact.product_name,
  product_category: artifact.product_category,
  one_line_summary: artifact.one_line_summary,
  score: artifact.recommendation.score,
  competitors: artifact.market.competitors.slice(0, MOST_RIVALS).map(({ name, url }) => ({ name, url: url ?? null })),
  features: artifact.features.slice(0, MOST_RIVALS).map(({ name, frequency }) => ({ name, frequency })),
  created_at: artifact.created_at,
});
