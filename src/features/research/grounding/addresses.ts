import { lru } from '#lib/lru.ts';

/** Hosts under which strangers have sites of their own: there the first label belongs to the site. */
const SHARED_HOSTS = new Set(
  `github.io gitlab.io vercel.app netlify.app pages.dev workers.dev web.app firebaseapp.com herokuapp.com onrender.com fly.dev azurewebsites.net blogspot.com
  wordpress.com substack.com notion.site webflow.io wixsite.com weebly.com carrd.co myshopify.com tumblr.com medium.com itch.io glitch.me replit.app lovable.app`.split(
    /\s+/,
  ),
);
const COUNTRY_SUFFIX = /^(?:co|com|org|net|gov|ac|edu)\.[a-z]{2}$/;
const TOP_LEVEL =
  'com|org|net|io|co|app|ai|dev|me|so|us|uk|de|fr|es|pt|br|it|nl|eu|ch|at|be|se|no|dk|fi|pl|ca|au|nz|in|jp|cn|ru|info|biz|xyz|site|online|store|shop|cloud|tech|tools|software|page|link|click|gg|tv|fm|ly|to|is|sh|im|health|care|money|finance|studio|design|games|world|life|live|email|blog|news';
const ADDRESS = new RegExp(
  String.raw`\bhttps?:\/\/[^\s<>"'“”)\]]+|\b(?:www\.)?(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,8}(?:${TOP_LEVEL})\b(?![.\w-]*@)(?:\/[^\s<>"'“”)\]]*)?`,
  'giu',
);

/** A research asks for the site of the same few addresses again and again. */
const sites = lru<string>(2000);

/** The registrable domain of a web address, or the site of its own below a shared host; empty for anything else. */
export const siteOf = (address: string | null): string => (address ? sites(address, () => readSite(address)) : '');

function readSite(address: string): string {
  const url = URL.parse(/^[a-z]+:\/\//i.test(address) ? address : `https://${address}`);
  if (!url || !['http:', 'https:'].includes(url.protocol)) return '';
  const labels = url.hostname.replace(/^www\./, '').split('.');
  const two = labels.slice(-2).join('.');
  return labels.slice(SHARED_HOSTS.has(two) || COUNTRY_SUFFIX.test(two) ? -3 : -2).join('.');
}

/** An address in the form in which two count as the same: without fragment, `www.`, scheme and closing slash. */
export function plainAddress(address: string): string {
  const url = URL.parse(address);
  return url ? `${url.hostname.replace(/^www\./, '')}${url.pathname.replace(/\/+$/, '')}${url.search}` : address;
}

/** The web addresses and bare domains that stand in a text. */
export const addressesIn = (text: string): string[] =>
  text.includes('.') ? [...text.matchAll(ADDRESS)].map(([match]) => match.replace(/[.,;:!?]+$/, '')) : [];
