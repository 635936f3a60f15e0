import { collapseSpaces, slugify } from '#lib/text.ts';
import type { Finding } from '../analyst.ts';

/** Hosts whose pages speak of products and are none: directories, news, forums, encyclopedias, stores, social networks, blogs. */
const NOT_PRODUCTS = new Set(
  `g2.com capterra.com getapp.com softwareadvice.com trustpilot.com trustradius.com producthunt.com alternativeto.net saashub.com slant.co sourceforge.net crunchbase.com
  pitchbook.com tracxn.com betalist.com indiehackers.com gartner.com forrester.com statista.com similarweb.com appsumo.com saasworthy.com financesonline.com toolify.ai
  theresanaiforthat.com futurepedia.io wikipedia.org wikihow.com wikidata.org fandom.com britannica.com reddit.com quora.com stackexchange.com stackoverflow.com
  ycombinator.com lobste.rs medium.com substack.com wordpress.com blogspot.com blogger.com tumblr.com dev.to hashnode.dev ghost.io hackernoon.com github.com gitlab.com
  facebook.com twitter.com x.com instagram.com tiktok.com linkedin.com youtube.com vimeo.com pinterest.com threads.net bsky.app t.me discord.com apple.com google.com
  microsoft.com amazon.com ebay.com etsy.com nytimes.com washingtonpost.com theguardian.com bbc.com bbc.co.uk cnn.com forbes.com bloomberg.com reuters.com wsj.com ft.com
  techcrunch.com theverge.com wired.com cnet.com zdnet.com pcmag.com techradar.com tomsguide.com businessinsider.com fastcompany.com inc.com entrepreneur.com mashable.com
  lifehacker.com makeuseof.com engadget.com venturebeat.com theinformation.com nerdwallet.com investopedia.com healthline.com webmd.com verywellmind.com goodhousekeeping.com
  spiegel.de zeit.de faz.net heise.de chip.de elpais.com elmundo.es lemonde.fr lefigaro.fr globo.com uol.com.br arxiv.org researchgate.net nih.gov sciencedirect.com
  springer.com archive.org zapier.com hubspot.com yelp.com tripadvisor.com glassdoor.com indeed.com`.split(/\s+/),
);
const ARTICLE_PATH =
  /\/(?:blog|news|article|articles|post|posts|story|stories|wiki|forum|forums|community|questions|review|reviews|compare|comparison|vs|best|top|list|guide|guides|resources|learn|magazine|press|category|tag|topics|\d{4})(?:[/-]|$)|best-|top-\d|-vs-|alternatives|how-to/i;
const ARTICLE_TITLE =
  /\b(?:best|top \d+|\d+ (?:best|top|great|free|apps?|tools?)|vs\.?|versus|alternatives?|reviews?|reviewed|how to|what is|why|guide|list of|comparison|compared|ranking|beste|mejores|meilleures?|melhores)\b|\?/i;
const NAME_BREAK = /\s*[|–—:·•»]\s*|\s+-\s+/u;

/** The registrable part of a host: two labels, three under a country's `co.`-like suffix. */
export function domainOf(url: string | null): string {
  const host = url ? (URL.parse(url)?.hostname ?? '').replace(/^www\./, '') : '';
  const labels = host.split('.');
  const size = /^(?:co|com|org|net|gov|ac|edu)\.[a-z]{2}$/.test(labels.slice(-2).join('.')) ? 3 : 2;
  return labels.slice(-size).join('.');
}

/** The product whose own page a web finding is, by its title's product part; nothing for pages that speak about products. */
export function ownPageOf(finding: Finding): { name: string; domain: string } | undefined {
  const url = finding.url ? URL.parse(finding.url) : null;
  const domain = domainOf(finding.url);
  if (!url || !domain.includes('.') || NOT_PRODUCTS.has(domain) || /\.(?:gov|edu|mil)(?:\.[a-z]{2})?$/.test(domain)) return undefined;
  if (/^(?:blog|news|forum|community|docs|help|support|wiki|developer|learn)\./.test(url.hostname)) return undefined;
  const depth = url.pathname.split('/').filter(Boolean).length;
  if (depth > 2 || ARTICLE_PATH.test(url.pathname) || ARTICLE_TITLE.test(finding.title)) return undefined;
  const name = productPart(finding.title, domain);
  return name ? { name, domain } : undefined;
}

function productPart(title: string, domain: string): string | undefined {
  const label = domain.split('.')[0] ?? '';
  const parts = title
    .split(NAME_BREAK)
    .map(collapseSpaces)
    .filter((part) => part.length > 1);
  const plain = (text: string): string => slugify(text).replaceAll('-', '');
  const bare = label.replace(/^(?:get|try|use|my|the|go|join|hello)(?=[a-z]{3})|(?:app|hq|io)$/g, '');
  const own = parts.find((part) => part.split(' ').length <= 4 && (plain(part) === plain(label) || plain(part) === plain(bare)));
  if (own) return own;
  const near = parts.find(
    (part) => part.split(' ').length <= 4 && plain(part).length >= 3 && (plain(label).includes(plain(part)) || plain(part).includes(plain(bare))),
  );
  if (near) return near;
  // No part of the title is the name: the domain's own label, when the title writes it somewhere.
  const written = title.split(/[^\p{L}\d.]+/u).find((word) => word.length >= 3 && plain(word) === plain(bare));
  return written;
}
