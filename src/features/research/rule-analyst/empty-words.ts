import { withStems } from '#features/catalogue';

/** Words of wishes and tests: with nothing else they name no problem and no product. */
export const WISHES = withStems(
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
  version exist humanity human placeholder tbd later joke next-gen gen generation stop potential operating
  year years one two three four five six ten hundred thousand launch brainstorm possible impossible curious bored nobody anybody somebody`.split(
    /\s+/,
  ),
);
/** Words of manner, degree and praise, and of talk about ideas: they may stand in any idea and make none. */
export const ABSTRACT = withStems(
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
  brazil brazilian international global worldwide`.split(/\s+/),
);
/** Words of both kinds in Spanish, German, French and Portuguese, as they are written there. */
export const WISHES_ELSEWHERE = withStems(
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
