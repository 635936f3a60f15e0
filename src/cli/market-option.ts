import { UsageError } from './command.ts';

const NAMED = 5;

/**
 * The ids of the markets that `--market` names by id, name or a part of one name.
 * @throws UsageError for one that is unknown or could be several
 */
export async function marketIds(wanted: readonly string[]): Promise<string[]> {
  if (wanted.length === 0) return [];
  const { openCatalogue } = await import('#features/catalogue');
  const markets = [...openCatalogue().categories];
  return wanted.map((text) => {
    const name = text.trim().toLowerCase();
    const exact = markets.find(({ id, name: own, aliases }) => id === name || [own, ...aliases].some((called) => called.toLowerCase() === name));
    if (exact) return exact.id;
    const fits = name === '' ? [] : markets.filter((market) => market.name.toLowerCase().includes(name) || market.id.includes(name));
    if (fits.length === 1 && fits[0]) return fits[0].id;
    if (fits.length === 0) throw new UsageError(`There is no market "${text}".`);
    const named = fits.slice(0, NAMED).map((market) => `${market.id} (${market.name})`);
    throw new UsageError(`"${text}" fits ${fits.length} markets: ${named.join(', ')}${fits.length > NAMED ? ', …' : ''}.`);
  });
}
