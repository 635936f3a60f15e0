import { contentScore, detectLanguage, openCatalogue, tokenize } from '#features/catalogue';
import { termsOf, withStems } from './terms.ts';

/** Words of wishes and tests: with nothing else they name no problem and no product. */
const WISHES = withStems(
  `rich money million millions billion dollar dollars euro euros success successful success famous viral popular happy happi fun amaz amazing awesome awesom incred
  revolutionary innovative innov disrupt disruptive next big huge world chang change life live unicorn profit profitable passive incom income earn sell scale
  test testing hello hey lorem ipsum dolor sit amet consectetur foo bar baz blah bla example sample random whatever anything nothing somehow
  think thought suggestion suggest surprise surprising interesting interest cool epic killer perfect ultimate modern digital
  industry disrupt better place technology tech blockchain web3 metaverse gpt chatgpt llm machine intelligence artificial entrepreneur founder boss hustle side project
  try ask question answer write text word please thanks yes dunno value impact future dream big better everyone crazy hot trendy top
  brainstorm win earn sell selling love loved loves boss career run runs ignore previous instruction instructions startup venture investor
  fame glory genius magic secret success win winner
  leverage leverages synergy synergies paradigm shift shifting ecosystem holistic creation gen power powered enable enabled cloud native empower unlock full potential
  innovation innovations transform transformation solve challenge strategy strategic vision mission passion passionate experience experienced expert quality excellent
  wow look looks looking sure see seen hope morning evening night hello dream forget forgot predict invent imagine believe accurate result results undefined null none
  version exist humanity human placeholder tbd  later joke  next-gen gen generation stop potential operating
  year years one two three four five six ten hundred thousand launch brainstorm possible impossible curious bored nobody anybody somebody`.split(
    /\s+/,
  ),
);
const ABSTRACT = withStems(
  `end stakeholder scalable scale agentic bigger biggest trust wait nda type steal explain check insert hard stay humble quit quitter feel motivate motivated final finally
 absolute authentic reusable honest honestly concept unique inclusive inclusion add added raise raised offer propose arrive limit own owner nose unicorn
 exponential amount count minimum choose choice strength strong freedom revolution revolt quantum bored boring frustrate frustrated enough collaborative integral high
 impact century centuries centennial centenary today tomorrow yesterday now soon moment secret secretly reveal surprise excite excited exciting mindset grind believe
 guarantee guaranteed effort fail failure winning champion king queen luck lucky destiny future epic legend era age generation wave bumble siglo
 paradigm framework synergy value worth fame status influence freedom independent independence early
 disrupt disruptor disruption pioneer visionary holistic seamless frictionless robust dynamic optimize optimise maximise accelerate boost growth hypergrowth
 user-friendly intuitive elegant sleek stunning premium state-of-the-art cutting edge bleeding advanced sophisticated intelligent smart clever brilliant
 economy domain topic subject kind sort level range variety bit whole total full complete
 reason purpose aim target objective result outcome effect cause sense meaning truth fact opinion view idea thought spirit
 start begin beginning continue stop finish done ready sure certain maybe perhaps probably definitely clearly exactly simply basically literally totally completely
 reply blank empty demo dummy random nonsense
 stolen exit ipo millionaire download depend pump confidential confidentiality
 people humanity mankind society everyone everybody person guy man woman bro dude sir madam buddy
 funny laugh smile happy tired annoyed weird strange crazy mad insane wild
 uncertain unknown decide decision know understand imagine invent create genius ability 
 brazil brazilian international global worldwide `.split(/\s+/),
);
const WISHES_ELSEWHERE = withStems(
  `geld reich millionen verdienen erfolgreich cool geil tolles etwas irgendwas idee gute beste neue neues dinero rico millones ganar exito algo genial idea buena mejor nueva
  argent riche millions gagner quelque chose genial idee bonne meilleure nouvelle dinheiro rico milhoes ganhar algo legal ideia boa melhor nova fazer hacer faire machen
  toll tolle tolles liebe lieben lieb irgendwa irgendwas womit womi werden werd reicher millionar millionaire millionnaire selbstandig selbststandig chef eigener gut besser verdient
  cartonne cartonn revolutionnaire lever fonds larg largar emprego empreender empreend emprender renunciar trabalho libre frei freiheit liberdade independiente jefe propio patron
  prueba probando teste essai versuch mundo monde welt cambiar changer verandern mudar vida vie leben
  devenir marche revolutionner proxima proximo prochaine prochain gran grande gross grosse grosste nachste groß mercado markt market increible brillant brillante brilhante
  innovador innovadora innovant innovante innovativ innovatives potenzial potentiel potencial alle alles tout tous todos todo jeder jede
  arbeit sag sage wagt gewinnt geheim todavia jeje supone escribir coucou machin ici texte facil bombe famoso famosa minima escolhe assinar falo gera valor escala collaboratif augmente forte ajoutee verrez depender nadie dormindo dinero facil secreto fort y dy
  beruhmt kennen kenn connu connue entier finanziell finanzielle finanzielles ganzheitlich ganzheitliche mehrwert ahnung absolute absoluter marre suffit croire rapporte
  dame querer quer facil libertad financiera siglo contar puedo copian innovadoras integrales impacto anadido cielo lejos dono proprio nariz unicornio unicornios brasileiro
  inovadora inovador disruptiva exponencial segredo desista foco forca fe donne propose visto inedita besonderes einzigartig einzigartiges einfach weltweit
  forrarme forrarse forrar curro chamba enriquecer enriquecerme enrichir fric pognon thune truc trucs inedit inedite bouleverser tout plaquer boulot
  angestellten angestelltendasein angestellter kundigen kohle knete hammer krass schluss grana bufunfa bombar patrao chefe sonho sueno sueño reve rêve traum liberte freedom
  small super revolutionnai mond endlich eigen freelanc job up cre fond lev haga hag ric rico box neu nouveau nuevo novo proyecto projet projekt projeto startup negocio business
  bauen crear creer criar vender verkaufen vendre app aplicacion anwendung application aplicativo coisa cosa ding sache
  bonjour bonsoir salut hola hallo guten ola buenos buenas boa bom`.split(/\s+/),
);
const WISH_PHRASES =
  /\b(?:passive income|while i sleep|(?:quit|leave) my (?:day )?job|game.?chang(?:er|ing)|side hustle|get rich(?: quick)?|my own boss|machine learning|deep learning|next.gen|quality of life|one.stop shop|operating system (?:for|of) (?:the future|everything|everyone|life)|(?:uber|airbnb|amazon|netflix|tinder) (?:of|for) (?:everything|everyone|all)|fill (?:this |it )?in later|meaning of life|quick brown fox jumps over the lazy dog|(?:great|good|nice) ux|beautiful design|ai agents?)\b/gi;
/** Printers' filler, however it goes on. */
const FILLER = /\blorem\s+ipsum\b(?:[\s,.]+\p{L}+){0,40}/giu;
/** Said to somebody, not of a product: greetings, and questions about whoever is asked. */
const ADDRESSED =
  /^\W*(?:hello|hi|hey|good (?:morning|afternoon|evening|day)|bonjour|bonsoir|salut|hola|buen[oa]s (?:d[ií]as|tardes|noches)|hallo|guten (?:morgen|tag|abend)|ol[aá]|bom dia|boa tarde)\b|^\W*(?:can|could|do|did|are|who|what|how|where|why|when|will|would)\b[^.?!]{0,30}\b(?:you|your)\b[^.?!]{0,30}\?\W*$/iu;
/** Whoever is to be helped is a beginning, however little is said of the help. */
const FOR_SOMEBODY = /\b(?:for|help\w*|lets?|remind\w*|teach\w*)\s+(?:an?|the|my|our|his|her|their|people with|people who)\s+\p{L}+/iu;
const KEYBOARD = /^(?:asd|sdf|dfg|fgh|ghj|hjk|jkl|qwe|zxc|xcv|uiop)/;
const KNOWN_AT = 0.3;
const CLEAR_AT = 0.4;
const FEW = 2;
const UNREAD_WORDS = 4;
const DENSE_SCRIPT = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Thai}|\p{Script=Hangul}/gu;

/** Whether a text says nothing that a product could be made of: wishes, tests, single empty words, keyboard noise. */
export const isContentless = (text: string): boolean => saysNothing(text) && !namesMarket(text);

function saysNothing(written: string): boolean {
  const text = written.replace(FILLER, ' ');
  const dense = text.match(DENSE_SCRIPT)?.length ?? 0;
  if (dense >= 6) return false;
  const words = tokenize(text).map(({ word }) => word);
  if (words.filter((word) => /\p{L}/u.test(word)).length === 0) return true;
  if (words.length > 1 && new Set(words).size === 1) return true;
  const language = detectLanguage(text);
  const isEnglish = language === 'en';
  const said = withoutWishes(text, isEnglish);
  const telling = tellingOf(said, isEnglish);
  if (telling.length === 0) return true;
  if (telling.length <= FEW && ADDRESSED.test(text) && !FOR_SOMEBODY.test(said)) return true;
  if (language === 'other' && isForeignText(words)) return false;
  const { confidence } = openCatalogue().search(said);
  const content = contentScore(telling.join(' ')) || contentScore(text);
  if (content === 0) return language !== 'other' || !isForeignText(words);
  if (confidence >= CLEAR_AT || (confidence >= KNOWN_AT && telling.length >= 2)) return false;
  return content < 0.12;
}

/** Most words in the name of a market. */
const NAME_WORDS = 6;
const KINDS = /^(?:an?|the|app|apps|software|platform|tool|tools|system|systems)$/;

/** Whether a short text is what a market of the catalogue is called, whatever its words say elsewhere. */
function namesMarket(text: string): boolean {
  if (tokenize(text).length > NAME_WORDS) return false;
  const bare = (said: string): string =>
    tokenize(said)
      .map(({ word }) => word)
      .filter((word) => !KINDS.test(word))
      .join(' ');
  const name = bare(text);
  const { categories } = openCatalogue().search(text);
  return name !== '' && categories.some(({ category }) => [category.name, ...category.aliases].some((alias) => bare(alias) === name));
}

function tellingOf(said: string, isEnglish: boolean): string[] {
  return termsOf(said).filter(
    (term) => !WISHES.has(term) && !ABSTRACT.has(term) && (isEnglish || !WISHES_ELSEWHERE.has(term)) && !isNoise(term) && !/^\d+$/.test(term),
  );
}

/** What a text says beside wishes: in another language a wish is known by its own words, before they are read as English ones. */
function withoutWishes(text: string, isEnglish: boolean): string {
  const without = text.replaceAll(WISH_PHRASES, ' ');
  if (isEnglish) return without;
  return without.replaceAll(/[\p{L}\p{N}'’-]+/gu, (word) => (tokenize(word).some((token) => WISHES_ELSEWHERE.has(token.word)) ? ' ' : word));
}

/** Text in a language that nothing here reads still looks like language: several distinct words that can be spoken. */
function isForeignText(words: readonly string[]): boolean {
  const distinct = [...new Set(words)].filter((word) => /\p{L}/u.test(word));
  const noise = distinct.filter(isNoise).length;
  const hasSmallWords = distinct.some((word) => word.length <= 4);
  return distinct.length >= UNREAD_WORDS && noise / distinct.length < 0.2 && hasSmallWords && !distinct.includes('lorem');
}

function isNoise(word: string): boolean {
  if (!/^[a-z]+$/.test(word)) return false;
  if (word.length > 3 && !/[aeiouy]/.test(word)) return true;
  return KEYBOARD.test(word) || /[^aeiouy]{6,}|(.)\1{3,}/.test(word);
}
