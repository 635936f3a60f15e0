/** A page that a product has of its own; `null` for an address under which nothing is. */
type Page = { title: string; text: string } | null;

/** What something has: a short id, or one with the words that say so. */
type Has = string | { id: string; words: string };

type Rival = { name: string; description: string; has?: Has[]; established?: boolean };
/** A sentence and the names of what it rests on. */
type Claim = [text: string, ...from: string[]];
type Step = { title: string; how: string; success_signal: string };

/** One idea with what a capable model says of it, call by call. */
export type RecordedIdea = {
  idea: string;
  understood: {
    language?: string;
    normalized_idea: string;
    short_title: string;
    one_line_summary: string;
    target_user: string;
    problem_statement: string;
    proposed_solution: string;
    category: string;
    subcategory: string;
    asked_for: string[];
    not_asked_for?: string[];
    place?: string;
    price?: string;
    queries: string[];
  };
  /** Products that it knows, each with its page. */
  remembered: { name: string; why: string; page: Page }[];
  /** The name of the market it chooses among the candidates, and which of its features mean what is asked for. */
  market: string | null;
  same?: Record<string, string>;
  rivals: Rival[];
  noneBecause?: string;
  concluded: { rationale: string; against: Claim[]; gap?: Claim; assumptions: string[]; steps: Step[]; first: string[] };
};

/** Twelve ideas: eight of a market of the catalogue, four of none of them, whatever their words sound like. */
export const RECORDED_IDEAS: readonly RecordedIdea[] = [
  {
    idea: 'An app for flatmates that splits the rent by income, scans receipts and reminds whoever forgets to pay by the first Sunday of the month',
    understood: {
      normalized_idea:
        'An app for flatmates that splits the rent by income, scans receipts and reminds whoever forgets to pay by the first Sunday of the month.',
      short_title: 'Rent by Income',
      one_line_summary: 'An app that splits the rent of a shared flat by income.',
      target_user: 'Flatmates who share the rent.',
      problem_statement: 'Whoever forgets to pay has to be reminded.',
      proposed_solution: 'It splits the rent by income, scans receipts and sends reminders.',
      category: 'Shared expense apps',
      subcategory: 'Rent splitting',
      asked_for: ['split the rent by income', 'scan receipts', 'remind whoever forgets to pay'],
      queries: ['split rent by income app', 'splitwise alternatives for flatmates'],
    },
    remembered: [
      { name: 'Splitwise', why: 'keeps running balances', page: null },
      {
        name: 'Housefair',
        why: 'splits rent by room',
        page: {
          title: 'Housefair: fair rent for shared flats',
          text: 'Housefair works out a fair rent for every room of a shared flat. Enter incomes, and Housefair splits the rent by income. Free for up to four people, then $3 a month. Made in Portland in 2019.',
        },
      },
      { name: 'Rentalot Pro', why: 'splits the rent among tenants', page: null },
    ],
    market: 'Bill splitting',
    same: { A2: 'Receipt scanning', A3: 'Reminders to pay' },
    rivals: [
      {
        name: 'Housefair',
        description: 'It splits the rent by income, which is the core of this idea, and charges $3 a month above four people.',
        has: [{ id: 'A1', words: 'splits the rent by income' }],
      },
      { name: 'Splitwise', description: 'It keeps running balances between flatmates but starts from expenses, not from income.', has: ['F1'] },
      { name: 'Tricount', description: 'A group calculator for shared flats that is shared by link.' },
      { name: 'Splid', description: 'It needs no sign-up and works offline; nothing is said of income.' },
    ],
    concluded: {
      rationale:
        'Housefair already splits the rent by income. Splitwise has the receipts and the reminders, so the idea joins two things that exist apart.',
      against: [
        ['Housefair does the core of it for $3 a month.', 'Housefair'],
        ['Splitwise and Tricount are where flatmates are already.', 'Splitwise', 'Tricount'],
      ],
      gap: ['Income and reminders together. Housefair has the first and no recorded reminders.', 'Housefair'],
      assumptions: [
        'Flatmates will tell each other what they earn.',
        'A reminder on Sundays gets rent paid sooner than a standing order at the end of May.',
      ],
      steps: [
        {
          title: 'Ask six shared flats in Ghent',
          how: 'Post in two Facebook groups for flats in Ghent and Leeds. Ask each flat to enter incomes in a Google Sheet for one Sunday evening.',
          success_signal: '4 of 6 flats enter every income; stop at 1.',
        },
        {
          title: 'Search for programs made for couples',
          how: 'Look on Reddit for what couples with unequal pay use, on a Friday.',
          success_signal: 'Three threads in May or June that name a workaround.',
        },
      ],
      first: ['A1', 'A3'],
    },
  },
  {
    idea: 'Ich bin Hobbyimker mit 14 Völkern und will eine günstige Stockwaage ohne Tonsensor, die mir das Gewicht aufs Handy schickt und bei Schwarmabgang warnt',
    understood: {
      language: 'de',
      normalized_idea:
        'A hobby beekeeper with 14 colonies wants a cheap hive scale without a sound sensor that sends the weight to a phone and warns when a swarm leaves.',
      short_title: 'Cheap Hive Scale',
      one_line_summary: 'A cheap hive scale without a sound sensor that warns of swarms.',
      target_user: 'Hobby beekeepers with some 14 colonies.',
      problem_statement: 'They are not warned when a swarm leaves.',
      proposed_solution: 'A scale under the hive sends its weight to the phone and warns when a swarm leaves.',
      category: 'Hive monitoring',
      subcategory: 'Hive scales',
      asked_for: ['send the weight to the phone', 'warn when a swarm leaves', 'be cheap'],
      not_asked_for: ['Tonsensor'],
      queries: ['Stockwaage günstig', 'hive scale hobby beekeeper'],
    },
    remembered: [
      {
        name: 'HoneyPi',
        why: 'an open hive scale to build',
        page: {
          title: 'HoneyPi - Stockwaage zum Selberbauen',
          text: 'HoneyPi ist eine offene Stockwaage für Imker auf einem Raspberry Pi. Das Gewicht kommt per Mobilfunk aufs Handy. Bausatz für 89 Euro.',
        },
      },
    ],
    market: 'Beekeeping',
    same: { A1: 'Hive scales', A2: 'Swarm and event alerts' },
    rivals: [
      {
        name: 'BroodMinder',
        description: 'Low-cost hive scales with an app; it comes nearest for hobby beekeepers.',
        has: ['A1', 'A2'],
        established: true,
      },
      {
        name: 'HoneyPi',
        description: 'An open scale on a Raspberry Pi as a kit for 89 Euro.',
        has: [{ id: 'A1', words: 'Gewicht kommt per Mobilfunk aufs Handy' }],
      },
      {
        name: 'Arnia',
        description: 'Remote monitoring by sound, temperature and weight, which is more than a hobby beekeeper asks for.',
        established: true,
      },
    ],
    concluded: {
      rationale: 'BroodMinder sells what is asked for. HoneyPi shows that a scale can cost 89 Euro.',
      against: [
        ['BroodMinder already makes low-cost scales with swarm alerts.', 'BroodMinder'],
        ['Ein Bausatz von HoneyPi kostet 89 Euro.', 'HoneyPi'],
      ],
      gap: ['A finished scale at the price of a kit. HoneyPi has to be built by hand.', 'HoneyPi'],
      assumptions: ['Imker lesen im Mai täglich das Gewicht ihrer Völker.', 'Hobbyists would pay less than for a sensor with sound.'],
      steps: [
        {
          title: 'Den Imkerverein fragen',
          how: 'Frag zehn Mitglieder des Imkervereins am Sonntag nach ihrer letzten Schwarmwarnung. Lend three of them a scale with an ESP32 and LoRa from May to June.',
          success_signal: 'Sieben von zehn sagen einen Preis.',
        },
      ],
      first: ['A1', 'A2'],
    },
  },
  {
    idea: 'A command line tool that reads our Postgres migrations in CI and says which statement would take a lock for too long, before it is merged',
    understood: {
      normalized_idea:
        'A command line tool that reads Postgres migrations in CI and says which statement would take a lock for too long, before it is merged.',
      short_title: 'Migration Lock Check',
      one_line_summary: 'A command line tool that finds locking statements in Postgres migrations.',
      target_user: 'Teams that merge Postgres migrations.',
      problem_statement: 'A statement takes a lock for too long.',
      proposed_solution: 'It reads migrations in CI and names the statement before it is merged.',
      category: 'Database migration linting',
      subcategory: 'Lock safety',
      asked_for: ['read migrations in CI', 'say which statement takes a long lock'],
      queries: ['postgres migration linter locks', 'squawk alternatives'],
    },
    remembered: [
      {
        name: 'Squawk',
        why: 'lints Postgres migrations',
        page: {
          title: 'Squawk - a linter for Postgres migrations',
          text: 'Squawk is a linter for Postgres migrations. It finds statements that take an ACCESS EXCLUSIVE lock, and comments on the pull request. Open source, written in Rust.',
        },
      },
      { name: 'Lockguard', why: 'checks locks', page: { title: 'This domain is for sale', text: 'Lockguard is available. Buy this domain now.' } },
    ],
    market: 'Database migrations and ORMs',
    same: { A2: 'Safety checks' },
    rivals: [
      {
        name: 'Squawk',
        description: 'It lints Postgres migrations for statements that take an exclusive lock: the direct rival.',
        has: [
          { id: 'A2', words: 'finds statements that take an ACCESS EXCLUSIVE lock' },
          { id: 'A1', words: 'comments on the pull request' },
        ],
      },
      {
        name: 'Flyway',
        description: 'It runs versioned SQL scripts in order; its checks are part of a larger product.',
        has: ['A2'],
        established: true,
      },
      { name: 'Liquibase', description: 'It tracks, checks and rolls back changes over many databases.', established: true },
    ],
    concluded: {
      rationale: 'Squawk does the same and is open source. What is left is how long a lock would be held.',
      against: [
        ['Squawk finds such statements already and costs nothing.', 'Squawk'],
        ['Flyway and Liquibase bring checks with them.', 'Flyway', 'Liquibase'],
      ],
      gap: ['How long, not only which. Squawk names the lock and says nothing of its length.', 'Squawk'],
      assumptions: ['Row counts of production can be had in CI.'],
      steps: [
        {
          title: 'Run Squawk on twenty merged migrations',
          how: 'Take them from GitHub and GitLab. Compare with incidents of last January.',
          success_signal: 'It misses 3 of 20; at 0 stop.',
        },
      ],
      first: ['A2'],
    },
  },
  {
    idea: 'Somos una comunidad de vecinos de Valencia sin administrador y queremos llevar nosotros las cuotas, las actas y las votaciones',
    understood: {
      language: 'es',
      normalized_idea: 'A residents community in Valencia without an administrator wants to run its own fees, minutes and votes.',
      short_title: 'Self-managed Residents',
      one_line_summary: 'Fees, minutes and votes for a residents community without an administrator.',
      target_user: 'Residents communities without an administrator.',
      problem_statement: 'They have no administrator.',
      proposed_solution: 'The residents run fees, minutes and votes themselves.',
      category: 'Residents association software',
      subcategory: 'Self-management',
      asked_for: ['collect the fees', 'keep the minutes', 'hold the votes'],
      place: 'Valencia',
      queries: ['comunidad de vecinos sin administrador app', 'self-managed HOA software'],
    },
    remembered: [
      { name: 'Vecinia', why: 'votes of residents', page: null },
      {
        name: 'Fynkus',
        why: 'management of communities',
        page: {
          title: 'Fynkus: programa de administración de fincas',
          text: 'Fynkus es un programa para administradores de fincas y comunidades autogestionadas: cuotas, actas, juntas y contabilidad. Desde 9 euros al mes.',
        },
      },
    ],
    market: 'HOA and condo association management',
    same: { A1: 'Dues and assessments', A3: 'Voting and meetings' },
    rivals: [
      {
        name: 'Fynkus',
        description: 'Fees, minutes and meetings for self-managed communities from 9 euros a month.',
        has: [
          { id: 'A1', words: 'cuotas, actas, juntas' },
          { id: 'A2', words: 'cuotas, actas, juntas' },
        ],
      },
      { name: 'PayHOA', description: 'Self-managed boards collect dues with it; it comes nearest of those recorded.', has: ['A1', 'A3'] },
    ],
    concluded: {
      rationale: 'Fynkus names self-managed communities on its own page. PayHOA shows that boards do without a manager.',
      against: [
        ['Fynkus costs 9 euros a month.', 'Fynkus'],
        ['PayHOA is made for self-managed boards.', 'PayHOA'],
      ],
      gap: ['Votes that hold in law. Nothing found says so of Fynkus.', 'Fynkus'],
      assumptions: ['The residents of Valencia agree on who keeps the books.', 'Una junta en septiembre bastaría para decidirlo.'],
      steps: [
        {
          title: 'Sit in on one meeting',
          how: 'Ask three communities in Valencia and Alicante over WhatsApp. Go on a Thursday in September.',
          success_signal: '2 of 3 let you keep the minutes.',
        },
      ],
      first: ['A1', 'A3', 'A2'],
    },
  },
  {
    idea: 'Head brewer at a 5,000-barrel brewery. Batch sheets are on clipboards and get wet. I want them on a tablet that works offline in the cellar',
    understood: {
      normalized_idea:
        'The head brewer of a 5,000-barrel brewery wants batch sheets, which are on clipboards and get wet, on a tablet that works offline in the cellar.',
      short_title: 'Cellar Batch Sheets',
      one_line_summary: 'Batch sheets on a tablet that works offline in the cellar.',
      target_user: 'The head brewer of a 5,000-barrel brewery.',
      problem_statement: 'Batch sheets on clipboards get wet.',
      proposed_solution: 'Batch sheets on a tablet that works offline.',
      category: 'Brewery management software',
      subcategory: 'Batch records',
      asked_for: ['batch sheets on a tablet', 'work offline in the cellar'],
      queries: ['brewery batch sheet tablet', 'ekos alternatives'],
    },
    remembered: [
      {
        name: 'Breww',
        why: 'brewery production',
        page: {
          title: 'Breww | Brewery software',
          text: 'Breww is brewery management software with batch records on any tablet, stock and duty returns.',
        },
      },
    ],
    market: 'Brewery and winery management',
    same: { A1: 'Production tracking' },
    rivals: [
      { name: 'Ekos', description: 'Production and inventory for craft beverage makers; batches are part of it.', has: ['A1'], established: true },
      {
        name: 'Breww',
        description: 'Batch records on any tablet, with stock and duty returns.',
        has: [{ id: 'A1', words: 'batch records on any tablet' }],
      },
      { name: 'Beer30', description: 'Production, stock and kegs for breweries.', has: ['A1'], established: true },
    ],
    concluded: {
      rationale: 'Ekos and Breww have the sheets. Nothing found says that either works offline.',
      against: [['Ekos, Breww and Beer30 have batch records.', 'Ekos', 'Breww', 'Beer30']],
      gap: ['Offline in the cellar. It is recorded of nobody, and Breww says nothing of it.', 'Breww'],
      assumptions: ['A tablet survives a cellar better than paper does.'],
      steps: [
        {
          title: 'Take one tablet down for a week',
          how: 'Mount an old iPad in a bag beside the clipboard from Monday to Friday.',
          success_signal: 'Five of five batches are written on it.',
        },
      ],
      first: ['A1', 'A2'],
    },
  },
  {
    idea: 'better calendar for nurses who swap shifts',
    understood: {
      normalized_idea: 'A better calendar for nurses who swap shifts.',
      short_title: 'Nurse Shift Calendar',
      one_line_summary: 'A better calendar for nurses who swap shifts.',
      target_user: 'Nurses who swap shifts.',
      problem_statement: '',
      proposed_solution: 'A calendar in which nurses swap shifts.',
      category: 'Nurse scheduling',
      subcategory: 'Shift swaps',
      asked_for: ['swap shifts'],
      queries: ['nurse shift swap calendar'],
    },
    remembered: [],
    market: 'Physician and nurse scheduling',
    same: { A1: 'Swaps and open shifts' },
    rivals: [
      { name: 'NurseGrid', description: 'A free shift calendar for nurses with swaps: the same thing.', has: ['A1'], established: true },
      { name: 'ShiftWizard', description: 'The roster of a hospital, with swaps on the phone.', has: ['A1'], established: true },
    ],
    concluded: {
      rationale: 'NurseGrid is free and does it. The idea does not say what would be better.',
      against: [
        ['NurseGrid gives nurses a calendar with swaps for nothing.', 'NurseGrid'],
        ['Hospitals that use ShiftWizard have swaps already.', 'ShiftWizard'],
      ],
      assumptions: ['Nurses may choose their own calendar.'],
      steps: [
        {
          title: 'Ask ten nurses what NurseGrid lacks',
          how: 'Ask in r/nursing on Reddit and at one hospital in Leeds, on two Saturdays.',
          success_signal: 'The same lack is named by 5 of 10.',
        },
      ],
      first: ['A1'],
    },
  },
  {
    idea: 'Tinder for cofounders',
    understood: {
      normalized_idea: 'Tinder for cofounders.',
      short_title: 'Cofounder Matching',
      one_line_summary: 'Matching of cofounders in the way of Tinder.',
      target_user: 'People who look for a cofounder.',
      problem_statement: '',
      proposed_solution: 'Matching of cofounders in the way of Tinder.',
      category: 'Cofounder matching',
      subcategory: 'Matching apps',
      asked_for: ['match cofounders'],
      queries: ['cofounder matching app'],
    },
    remembered: [],
    market: 'Finding a co-founder',
    same: { A1: 'Profiles and matching' },
    rivals: [
      { name: 'YC Co-Founder Matching', description: 'Free matching of founders by profile.', has: ['A1'], established: true },
      { name: 'CoffeeSpace', description: 'An app that proposes possible co-founders, which is what the idea describes.', has: ['A1'] },
      { name: 'CoFoundersLab', description: 'A large network with profiles and messages.', has: ['A1'], established: true },
    ],
    concluded: {
      rationale: 'CoffeeSpace is that app. YC Co-Founder Matching does it for nothing.',
      against: [
        ['YC Co-Founder Matching is free.', 'YC Co-Founder Matching'],
        ['CoffeeSpace proposes co-founders in an app.', 'CoffeeSpace'],
      ],
      assumptions: ['Founders decide on somebody from a card.'],
      steps: [
        {
          title: 'Match twenty founders by hand',
          how: 'Collect profiles with a Typeform, post it on Hacker News and LinkedIn on a Tuesday.',
          success_signal: 'Six of ten pairs meet again.',
        },
      ],
      first: ['A1'],
    },
  },
  {
    idea: 'An app that helps runners find partners every week who keep the same pace',
    understood: {
      normalized_idea: 'An app that helps runners find partners every week who keep the same pace.',
      short_title: 'Running Partners',
      one_line_summary: 'An app that finds runners partners of the same pace.',
      target_user: 'Runners.',
      problem_statement: 'Runners have to find partners every week.',
      proposed_solution: 'It finds partners who keep the same pace.',
      category: 'Sports partner search',
      subcategory: 'Running partners',
      asked_for: ['find partners every week', 'match by pace'],
      queries: ['find running partners same pace'],
    },
    remembered: [
      {
        name: 'JoggerMatch',
        why: 'running partners',
        page: { title: 'JoggerMatch', text: 'JoggerMatch finds running partners near you by pace and distance. Members meet on Saturdays.' },
      },
      {
        name: 'Runbuddy Circle',
        why: 'running partners',
        page: { title: 'Welcome to nginx!', text: 'Welcome to nginx! If you see this page, the web server of Runbuddy Circle works.' },
      },
    ],
    market: 'Finding people to play sport with',
    same: { A1: 'Matching players' },
    rivals: [
      {
        name: 'JoggerMatch',
        description: 'It finds running partners by pace and distance: the direct rival.',
        has: [
          { id: 'A2', words: 'by pace and distance' },
          { id: 'A1', words: 'finds running partners near you' },
        ],
      },
    ],
    concluded: {
      rationale: 'JoggerMatch does it by pace and distance. The others of this market are about courts.',
      against: [['JoggerMatch finds partners by pace already.', 'JoggerMatch']],
      gap: ['Every week anew. JoggerMatch says nothing of a weekly partner.', 'JoggerMatch'],
      assumptions: ['Enough runners of one pace live near each other.'],
      steps: [
        {
          title: 'Pair thirty runners of one club',
          how: 'Use a WhatsApp group from March to May, on Wednesdays.',
          success_signal: '20 of 30 run a second time.',
        },
      ],
      first: ['A2', 'A1'],
    },
  },
  {
    idea: 'I own a restaurant kitchen that stands empty in the mornings. I want to rent it by the hour to bakers and food trucks, with a lock that opens for their slot',
    understood: {
      normalized_idea:
        'A restaurant kitchen that stands empty in the mornings is rented by the hour to bakers and food trucks, with a lock that opens for their slot.',
      short_title: 'Kitchens by Hour',
      one_line_summary: 'Restaurant kitchens rented by the hour while they stand empty.',
      target_user: 'Restaurant owners, and bakers and food trucks who need a kitchen.',
      problem_statement: 'A restaurant kitchen stands empty in the mornings.',
      proposed_solution: 'It is rented by the hour, with a lock that opens for the slot.',
      category: 'Shared kitchen rental',
      subcategory: 'Kitchens by the hour',
      asked_for: ['rent a kitchen by the hour', 'a lock that opens for the slot'],
      queries: ['rent commercial kitchen by the hour', 'shared kitchen marketplace'],
    },
    remembered: [
      {
        name: 'The Kitchen Door',
        why: 'lists kitchens to rent',
        page: {
          title: 'The Kitchen Door - find a commercial kitchen',
          text: 'The Kitchen Door lists commercial and shared kitchens for rent by the hour, day or month. Owners list idle hours; cooks book a slot.',
        },
      },
      { name: 'Syzygy Kitchens', why: 'kitchens by the hour', page: null },
    ],
    market: null,
    rivals: [
      {
        name: 'The Kitchen Door',
        description: 'It lists kitchens for rent by the hour, idle hours of owners included.',
        has: [{ id: 'A1', words: 'kitchens for rent by the hour' }],
      },
    ],
    concluded: {
      rationale: 'The Kitchen Door rents kitchens by the hour. Nobody else was found, so the market is not known here.',
      against: [['The Kitchen Door has owners list idle hours.', 'The Kitchen Door']],
      gap: ['The lock for the slot. The Kitchen Door says nothing of one.', 'The Kitchen Door'],
      assumptions: ['The food authority lets two firms share a kitchen.', 'Bakers come at five on Mondays.'],
      steps: [
        {
          title: 'Rent out your own kitchen twice',
          how: 'Offer four mornings in February on Craigslist and at the farmers market in Portland.',
          success_signal: '2 bookings at full price.',
        },
      ],
      first: ['A1', 'A2'],
    },
  },
  {
    idea: 'Our allotment club has 80 plots and a waiting list on paper. We need the list, the water duty and the plot rents in one place',
    understood: {
      normalized_idea: 'An allotment club with 80 plots needs its waiting list, which is on paper, the water duty and the plot rents in one place.',
      short_title: 'Allotment Club Register',
      one_line_summary: 'The waiting list, water duty and rents of an allotment club in one place.',
      target_user: 'Allotment clubs with some 80 plots.',
      problem_statement: 'The waiting list is on paper.',
      proposed_solution: 'Waiting list, water duty and plot rents in one place.',
      category: 'Allotment management',
      subcategory: 'Plot registers',
      asked_for: ['keep the waiting list', 'plan the water duty', 'collect the plot rents'],
      queries: ['allotment waiting list software'],
    },
    remembered: [
      {
        name: 'Colony',
        why: 'allotment management for councils',
        page: {
          title: 'Colony: allotment management',
          text: 'Colony keeps plots, tenants, waiting lists and rents of allotment sites for councils and associations.',
        },
      },
      { name: 'Plotkeeper', why: 'registers of plots', page: null },
    ],
    market: null,
    rivals: [
      {
        name: 'Colony',
        description: 'It keeps plots, waiting lists and rents for councils and associations.',
        has: [
          { id: 'A1', words: 'waiting lists and rents' },
          { id: 'A3', words: 'waiting lists and rents' },
        ],
      },
    ],
    concluded: {
      rationale: 'Colony keeps the list and the rents. The water duty is recorded of nobody.',
      against: [['Colony serves councils and associations.', 'Colony']],
      gap: ['The water duty. Colony says nothing of it.', 'Colony'],
      assumptions: ['A club of 80 plots pays for software at all.'],
      steps: [
        {
          title: 'Type up the list',
          how: 'Put the 80 plots into Airtable on a Sunday and let the Kassierer use it until Oktober.',
          success_signal: 'Nobody asks for the paper.',
        },
      ],
      first: ['A2', 'A1'],
    },
  },
  {
    idea:
      'My husband plays in a band. After a show in Ghent people stood in the car park and wanted shirts in sizes he had not brought, and nobody wanted to pay for shipping. ' +
      'So: they order in the car park, we print what was ordered, and they pick it up at the next show nearby',
    understood: {
      normalized_idea:
        'Fans order band shirts after a show, what was ordered is printed, and they pick it up at the next show nearby instead of paying for shipping.',
      short_title: 'Merch Next Show',
      one_line_summary: 'Fans order band shirts after a show and pick them up at the next one nearby.',
      target_user: 'Bands that sell shirts at shows.',
      problem_statement: 'Fans want sizes that were not brought, and nobody wants to pay for shipping.',
      proposed_solution: 'Fans order on the spot, the shirts are printed and picked up at the next show nearby.',
      category: 'Band merchandise',
      subcategory: 'Pick-up at shows',
      asked_for: ['order after the show', 'print what was ordered', 'pick up at the next show nearby'],
      place: 'Ghent',
      queries: ['band merch pre-order pick up at show'],
    },
    remembered: [{ name: 'Merchbar Live', why: 'band merchandise', page: null }],
    market: null,
    rivals: [],
    concluded: {
      rationale: 'Nobody was found who does it. That says only that nothing was looked up here, not that there is nobody.',
      against: [],
      assumptions: ['Fans who were in Ghent come to the next show nearby.', 'A band knows its next show before the shirts are printed.'],
      steps: [
        {
          title: 'Take ten orders by hand',
          how: 'Hang a QR code to a Google Form on the merch table in Ghent on a Saturday in November.',
          success_signal: '10 orders, and 8 are picked up.',
        },
      ],
      first: ['A3', 'A1'],
    },
  },
  {
    idea: 'Planifier qui sonne quelles cloches le dimanche, pour des carillonneurs bénévoles qui apprennent les méthodes à leur rythme',
    understood: {
      language: 'fr',
      normalized_idea: 'A planner of who rings which bells on Sundays, for volunteer ringers who learn methods at their own pace.',
      short_title: 'Bell Ringer Planner',
      one_line_summary: 'A planner of who rings which bells on Sundays.',
      target_user: 'Volunteer bell ringers.',
      problem_statement: '',
      proposed_solution: 'It plans who rings which bells on Sundays by what each has learnt.',
      category: 'Bell ringing',
      subcategory: 'Ringing bands',
      asked_for: ['plan who rings which bell', 'track what each ringer has learnt'],
      queries: ['bell ringing band planner', 'planning carillonneurs'],
    },
    remembered: [
      {
        name: 'Ringing Room',
        why: 'ringing together online',
        page: { title: 'Ringing Room', text: 'Ringing Room is a virtual belltower: ring together online and practise methods.' },
      },
    ],
    market: null,
    rivals: [],
    noneBecause: 'Ringing Room is a virtual belltower to practise in, and plans no one.',
    concluded: {
      rationale: 'Ringing Room is a virtual belltower and plans no one. Nobody was found who plans the ringing on Sundays.',
      against: [],
      assumptions: ['A tower captain would hand over the plan for Sundays.'],
      steps: [
        {
          title: 'Plan one month for one tower',
          how: 'Ask towers in Lille and Mechelen by mail; plan the Sundays of May on paper first.',
          success_signal: 'Der Turmwart fragt nach dem Juni.',
        },
      ],
      first: ['A1', 'A2'],
    },
  },
];
