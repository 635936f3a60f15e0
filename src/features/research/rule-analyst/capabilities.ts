import { significantTerms } from '#features/catalogue';
import { mapOf } from '#lib/map-of.ts';

export type Capability = {
  name: string;
  stems: ReadonlySet<string>;
  /** Stems of features that come near to it. */
  kin: ReadonlySet<string>;
};

const KIN = mapOf<string>({
  learning: 'histori favourit favorit usual frequent suggest suggestion recommend pattern trend insight stock inventori usag statist',
  voice: 'dictat assist transcrib audio handsfre',
  wearable: 'watch devic tracker sync',
  sensor: 'devic camera gps connect automat monitor',
  offline: 'download sync local',
  anonymous: 'privat privaci hide guest',
  play: 'point streak reward badg challeng leaderboard',
  barter: 'exchang rent share',
  escrow: 'payment deposit guarante',
  auction: 'price offer sell',
  messenger: 'messag chat remind notif',
  translation: 'languag local',
  map: 'map locat rout',
  weather: 'season condit alert',
  handwriting: 'note scan pen',
  simulation: 'scenario plan model',
});

/** Ways of doing a thing that a market may or may not know; stems as the catalogue's search makes them. */
const CAPABILITIES: readonly Capability[] = Object.entries({
  learning: 'learn predict predictive anticip forecast prediction',
  voice: 'voic speak spoken aloud dictat handsfre',
  augmented: 'ar vr augment hologram headset goggl',
  wearable: 'wearabl wristband bracelet smartwatch earbud pendant',
  sensor: 'sensor beacon nfc rfid bluetooth thermomet microphon drone satellit robot',
  offline: 'offlin',
  anonymous: 'anonym pseudonym incognito',
  play: 'gamif gamifi quest avatar leaderboard',
  ledger: 'blockchain token nft crypto',
  barter: 'barter swap borrow',
  escrow: 'escrow',
  auction: 'auction bid',
  print: 'postcard poster',
  messenger: 'whatsapp telegram sms',
  translation: 'translat multilingu',
  map: 'radar gps',
  weather: 'weather rain forecast',
  genes: 'dna genet genom microbiom',
  charity: 'donat chariti',
  insurance: 'insur insuranc',
  bet: 'wager',
  handwriting: 'handwrit handwritten',
  signlanguage: 'deaf blind braill',
  simulation: 'simul simulat',
}).map(([name, words]) => ({ name, stems: new Set(words.split(' ')), kin: new Set((KIN.get(name) ?? '').split(' ')) }));

/** The capabilities that a text speaks of. */
export function capabilitiesIn(text: string): Capability[] {
  const terms = significantTerms(text);
  return CAPABILITIES.filter(({ stems }) => terms.some((term) => stems.has(term)));
}
