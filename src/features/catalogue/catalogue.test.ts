import { ASKED_FROM } from './asked-features.ts';
import { describe, expect, it } from 'vitest';
import { checkCatalogue } from './check-catalogue.ts';
import { contentScore, detectLanguage, openCatalogue, significantTerms, stem, tokenize } from './index.ts';

const catalogue = openCatalogue();
const found = (text: string, limit?: number) =>
  catalogue.search(text, limit === undefined ? {} : { limit }).categories.map(({ category }) => category.id);

describe('the catalogue files', () => {
  it('hold to the schema and to each other', { timeout: 30_000 }, () => {
    expect(checkCatalogue().problems).toEqual([]);
  });

  it('are frozen and sorted by id', () => {
    const ids = Array.from(catalogue.categories, (category) => category.id);
    expect(ids).toEqual([...ids].sort());
    expect(new Set(ids).size).toBe(ids.length);
    const [category] = catalogue.categories;
    expect(Object.isFrozen(category?.companies[0]?.features)).toBe(true);
    expect(Object.isFrozen(catalogue.category('bill-splitting')?.needs)).toBe(true);
  });

  it('are read once', () => {
    expect(openCatalogue()).toBe(catalogue);
  });

  it('give a category and a company by id', () => {
    expect(catalogue.category('bill-splitting')?.id).toBe('bill-splitting');
    expect(catalogue.category('no-such-market')).toBeUndefined();
    expect(catalogue.company('splitwise')?.category.id).toBe('bill-splitting');
    expect(catalogue.company('no-such-company')).toBeUndefined();
  });
});

describe('search by need', () => {
  it.each([
    ['who owes whom after a trip with friends', 'bill-splitting'],
    ['we both went to the supermarket and now we have bread twice and no milk', 'grocery-lists'],
    ['I forget to water my houseplants and the leaves turn yellow', 'plant-care'],
    ['users see a white page and we only learn about the crash from angry tweets', 'error-tracking'],
    ['making the weekly rota for 30 waiters with swaps on WhatsApp is a nightmare', 'shift-scheduling'],
    ['our animal clinic has paper files for cats and dogs and forgets vaccination reminders', 'veterinary-practice'],
    ['put my drawings on mugs and t-shirts without holding any stock', 'print-on-demand'],
    ['database passwords sit in env files', 'secrets-management'],
    ['lock and wipe laptops of people who leave', 'device-management'],
  ])('"%s" is %s', (text, id) => {
    const answer = catalogue.search(text);
    expect(answer.categories[0]?.category.id).toBe(id);
    expect(answer.confidence).toBeGreaterThanOrEqual(0.3);
  });

  it.each([
    ['es', 'Siempre se me olvida regar las plantas y se mueren', 'plant-care'],
    ['es', 'No llego a fin de mes y no sé en qué se me va el dinero', 'personal-budgeting'],
    ['de', 'Wer schuldet wem wie viel nach dem gemeinsamen Urlaub?', 'bill-splitting'],
    ['de', 'Dienstplan für unser Café mit Schichttausch', 'shift-scheduling'],
    ['de', 'Eine Einkaufsliste, die wir als Familie teilen', 'grocery-lists'],
    ['fr', 'On se dispute toujours pour savoir qui doit combien à qui après les vacances', 'bill-splitting'],
    ['fr', 'Je veux arrêter de boire et compter mes jours sans alcool', 'addiction-recovery'],
    ['pt', 'Quero dividir as despesas da viagem com os amigos', 'bill-splitting'],
    ['pt', 'Controlar o estoque da minha loja', 'inventory-management'],
  ])('finds the market in %s: "%s"', (language, text, id) => {
    const answer = catalogue.search(text);
    expect(answer.language).toBe(language);
    expect(answer.categories.map(({ category }) => category.id)).toContain(id);
  });

  it.each([
    ['remeber to watter my plnts', 'plant-care'],
    ['sheduling employes shfts in a restarant', 'shift-scheduling'],
    ['expence reciepts for busness trips', 'expense-management'],
  ])('reads over typing mistakes: "%s"', (text, id) => {
    expect(found(text)).toContain(id);
  });

  it.each([
    ['Plan our dinners for the week and share the grocery list with my flatmates', ['meal-planning', 'grocery-lists']],
    ['Split the costs of our group holiday and plan the days together', ['bill-splitting', 'travel-planning']],
    ['Schedule the shifts of my staff and pay their wages', ['shift-scheduling', 'payroll']],
    ['Track errors in production and show customers a status page', ['error-tracking', 'uptime-status-pages']],
  ])('finds both markets of "%s"', (text, ids) => {
    expect(found(text)).toEqual(expect.arrayContaining(ids));
  });

  it('takes a named product as evidence for its market', () => {
    const answer = catalogue.search('like Splitwise but for couples');
    expect(answer.categories[0]?.category.id).toBe('bill-splitting');
    expect(answer.companies[0]?.company.id).toBe('splitwise');
    expect(found('lke splitwse but for famlies')).toContain('bill-splitting');
  });

  it('keeps to the limit and to the range 0..1', () => {
    const answer = catalogue.search('plan meals, split expenses, walk the dog, learn Spanish and water plants', {
      limit: 2,
    });
    expect(answer.categories.length).toBeLessThanOrEqual(2);
    for (const { score } of [...answer.categories, ...answer.companies]) {
      expect(score).toBeGreaterThanOrEqual(0);
      expect(score).toBeLessThanOrEqual(1);
    }
  });

  it('gives the same answer to the same text', () => {
    const text = 'remind my grandmother of her pills and tell me when she forgets';
    expect(catalogue.search(text)).toEqual(catalogue.search(text));
  });
});

describe('companies and features of an answer', () => {
  const answer = catalogue.search('split restaurant bills unevenly by scanning the receipt, with friends who owe me money');

  it('name the companies of the market with their features there', () => {
    const [first] = answer.companies;
    expect(first?.features.length).toBeGreaterThan(0);
    const ids = answer.companies.map(({ company }) => company.id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('name rivals from the countries of a language earlier than others do', () => {
    const placeOf = (text: string): number => catalogue.search(text, { limit: 1 }).companies.findIndex(({ company }) => company.id === 'yousign');
    const [french, english] = [
      placeOf('faire signer un contrat en ligne avec une signature électronique'),
      placeOf('let people sign a contract online with an electronic signature'),
    ];
    expect(french).toBeGreaterThanOrEqual(0);
    expect(english).toBeGreaterThan(french);
  });

  it.each([
    ['de', 'Wir brauchen eine neue Kasse für unser Restaurant und die Kellner bonieren am Tisch'],
    ['fr', 'La caisse de mon restaurant est vieille et les serveurs notent la commande à table'],
    ['es', 'Las comandas de mi bar se pierden camino de la cocina, quiero una caja nueva para el restaurante'],
    ['pt', 'O garçom anota o pedido em papel, a comanda se perde até a cozinha e dividir a conta da mesa demora'],
  ] as const)('name first whom people there would name: %s', (area, text) => {
    const { categories, companies } = catalogue.search(text, { limit: 1 });
    const local = categories[0]?.category.locally[area] ?? [];
    const first = companies.slice(0, 5).map(({ company }) => company.id);
    expect(categories[0]?.category.id).toMatch(/^restaurant/);
    expect(first.filter((id) => local.includes(id)).length).toBeGreaterThanOrEqual(3);
  });

  it('name first whom people of a country would name that an English text speaks of', () => {
    const text = 'our restaurant needs a till where waiters take the order at the table';
    const local = catalogue.category('restaurant-pos')?.locally.de ?? [];
    const places = (idea: string): number[] => {
      const ids = catalogue.search(idea, { limit: 1 }).companies.map(({ company }) => company.id);
      return local.map((id) => ids.indexOf(id));
    };
    const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
    expect(mean(places(`${text} in Berlin`))).toBeLessThan(mean(places(text)));
  });

  it('name one of several products that a maker calls nearly the same', () => {
    const { companies } = catalogue.search('back up the laptops of our office every night so that ransomware cannot take the files');
    const names = companies.map(({ company }) => ({ domain: company.domain, name: company.name.toLowerCase() }));
    const same = names.filter((one) => names.some((other) => other !== one && other.domain === one.domain && one.name.startsWith(`${other.name} `)));
    expect(names.length).toBeGreaterThan(5);
    expect(same).toEqual([]);
  });

  it('say which features the idea asks for and who holds them', () => {
    const asked = answer.features.filter((feature) => feature.certainty >= ASKED_FROM);
    expect(asked.length).toBeGreaterThan(0);
    for (const { frequency, heldBy } of answer.features) {
      expect(frequency > 0).toBe(heldBy.length > 0);
      expect(frequency).toBeLessThanOrEqual(1);
    }
  });

  it('say what matched as the catalogue writes it', () => {
    const [best] = answer.categories;
    expect(best?.matched.length).toBeGreaterThan(0);
    const text = JSON.stringify(best?.category);
    for (const phrase of best?.matched ?? []) expect(text).toContain(JSON.stringify(phrase).slice(1, -1));
  });
});

describe('knowing when it does not know', () => {
  it.each([
    '',
    'hello',
    'make something cool that makes money',
    'an app that changes the world',
    'a platform for people to do things better',
    'asdf qwer zxcv poiu',
    'blorf zindle wug krample',
    '1234 5678 90',
    'a marketplace for antique submarine propellers',
    'a weathervane that sings to passing storks',
    'training crows to pick up litter',
    'teaching parrots to sing opera',
    'growing furniture from living willow',
    'reviving extinct mammoths',
    'una aplicación para ganar dinero',
  ])('is unsure about "%s"', (text) => {
    expect(catalogue.search(text).confidence).toBeLessThan(0.3);
  });
});

describe('companyCalled', () => {
  it('knows a company by name, former name and domain, and no other', () => {
    expect(catalogue.companyCalled('splitwise')).toMatchObject({ company: { id: 'splitwise' }, similarity: 1 });
    expect(catalogue.companyCalled('Quit Genius')).toMatchObject({ company: { id: 'pelago' }, similarity: 0.98 });
    expect(catalogue.companyCalled('https://www.splitwise.com/about')?.company.id).toBe('splitwise');
    expect(catalogue.companyCalled('splitwize')).toBeUndefined();
    expect(catalogue.companyCalled('')).toBeUndefined();
  });
});

describe('findCompanies', () => {
  it('finds by name, by domain and with a typing mistake', () => {
    expect(catalogue.findCompanies('Splitwise')[0]).toMatchObject({ company: { id: 'splitwise' }, similarity: 1 });
    expect(catalogue.findCompanies('https://www.splitwise.com/about')[0]?.company.id).toBe('splitwise');
    expect(catalogue.findCompanies('splitwize')[0]?.company.id).toBe('splitwise');
  });

  it('finds by a name that it had before', () => {
    const former = catalogue.company('pelago')?.company;
    expect(catalogue.findCompanies(former?.formerly?.[0] ?? '')[0]).toMatchObject({ company: { id: 'pelago' }, similarity: 0.98 });
    expect(catalogue.search('like Quit Genius but for gamers').companies.map(({ company }) => company.id)).toContain('pelago');
  });

  it('finds nothing for a name no company is near to', () => {
    expect(catalogue.findCompanies('Qzxvbn Wrtplk')).toEqual([]);
    expect(catalogue.findCompanies('')).toEqual([]);
  });
});

describe('detectLanguage', () => {
  it.each([
    ['split the bill with my roommates', 'en'],
    ['repartir los gastos con mis compañeros de piso', 'es'],
    ['Kosten mit Mitbewohnern teilen', 'de'],
    ['partager les frais avec mes colocataires', 'fr'],
    ['dividir as despesas com os meus amigos', 'pt'],
    ['voglio dividere le spese con i miei amici', 'other'],
    ['友達と割り勘する', 'other'],
    ['', 'other'],
    ['todo list', 'en'],
  ])('"%s" is %s', (text, language) => {
    expect(detectLanguage(text)).toBe(language);
  });
});

describe('words', () => {
  it.each([
    ['scheduling', 'schedul'],
    ['schedules', 'schedul'],
    ['children', 'child'],
    ['hopping', 'hop'],
    ['agreed', 'agre'],
    ['happy', 'happi'],
    ['relational', 'relat'],
  ])('stem of %s is %s', (word, expected) => {
    expect(stem(word)).toBe(expected);
  });

  it.each([
    ['organised', 'organized'],
    ['paid', 'pays'],
    ['lost', 'loses'],
    ['buses', 'bus'],
  ])('%s and %s share a stem', (one, other) => {
    expect(stem(one)).toBe(stem(other));
  });

  it('cuts elisions and possessives and joins e-mail', () => {
    expect(tokenize("l'argent du client's e-mail").map((token) => token.word)).toEqual(['argent', 'du', 'client', 'email']);
  });

  it('gives the telling words of any language as English stems', () => {
    expect(significantTerms('Eine Einkaufsliste für die Familie')).toEqual(expect.arrayContaining([stem('shopping'), stem('list'), stem('family')]));
    expect(significantTerms('the and of')).toEqual([]);
  });

  it('tells content from noise', () => {
    expect(contentScore('make something cool that makes money')).toBeLessThan(0.3);
    expect(contentScore('asdf qwer zxcv poiu')).toBeLessThan(0.2);
    expect(contentScore('')).toBe(0);
    expect(contentScore('remind tenants of the rent and collect it by card')).toBeGreaterThan(0.6);
  });

  it.each([
    [
      "I run a paid group of hand-tool woodworkers. The free social network buries our posts. I'd like a calm members' place with spaces, events and a monthly fee.",
      'paid-communities',
    ],
    [
      'We measure the gravel in three quarries. The surveyor takes a week; we own a drone and want stockpile volumes from its photos.',
      'drone-mapping',
    ],
  ])('puts the market first of which most is asked for: “%s”', (text, market) => {
    expect(openCatalogue().search(text).categories[0]?.category.id).toBe(market);
  });
});
