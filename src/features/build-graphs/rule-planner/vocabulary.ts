const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter(Boolean));

/** Words for people, in both numbers where they differ. */
export const PEOPLE =
  words(`brother brothers sister sisters mum mums aunt uncle siblings wife husband boss girls boys people person anyone everyone men man women woman kids kid children child toddlers babies teens teenagers adults seniors elders parents parent moms mom mothers
  dads dad fathers grandparents families family couples couple roommates roommate flatmates flatmate housemates housemate friends friend neighbors neighbours neighbor neighbour households
  household students student pupils teachers teacher professors nurses nurse doctors doctor patients patient clinics clinic hospitals hospital dentists dentist therapists therapist vets
  owners owner freelancers freelancer agencies agency studios studio shops shop stores store restaurants restaurant cafes cafe bakeries bakery bars hotels hotel hosts host landlords
  landlord tenants tenant companies company startups startup businesses business teams team firms firm enterprises nonprofits nonprofit charities charity churches church clubs club coaches
  coach athletes athlete runners runner players player fans musicians musician bands artists artist makers maker writers writer authors author readers reader bloggers creators creator
  podcasters podcaster youtubers streamers influencers photographers photographer designers designer developers developer engineers engineer programmers founders founder marketers recruiters
  recruiter managers manager salespeople reps clients client customers customer accountants accountant bookkeepers lawyers lawyer electricians plumbers contractors contractor builders farmers
  farmer beekeepers gardeners gardener cooks chefs drivers driver commuters cyclists hikers travelers traveler travellers traveller tourists expats immigrants refugees volunteers volunteer
  veterans collectors collector gamers beginners professionals employees employee workers worker staff employers crews crew members member organizers organizer organisers operators technicians
  technician mechanics mechanic tutors tutor learners learner researchers researcher scientists journalists translators caregivers caregiver carers carer pharmacists midwives sellers seller
  buyers buyer shoppers donors residents resident citizens communities community cities municipalities warehouses retailers brands publishers universities schools school homeowners
  homeowner renters renter trades tradespeople guests guest planners inspectors underwriters brokers agents advisors advisers consultants consultant analysts administrators dispatchers
  stylists stylist hairdressers hairdresser barbers barber groomers sitters walkers bakers brewers winemakers vendors suppliers manufacturers labs institutions practices practice offices venues gyms libraries museums districts utilities insurers`);

/** Words that people are only told apart by: `shop owners`, not `owners`. */
export const NEEDS_QUALIFIER =
  words(`owners owner managers manager teams team companies company businesses business groups makers maker sellers seller buyers buyer organizers organizer
  operators operator drivers driver workers worker members member agents hosts practices practice offices firms shops shop stores store studios agencies users clinics planners professionals`);

/** Verbs that take an object: what follows is often what an idea is about. */
export const VERBS =
  words(`walk walks walking drive drives track manage share scan book find plan log compare sell rent order keep organize organise collect record monitor schedule send create build make write read edit
  design buy store save search browse review rate match swap lend borrow deliver ship pay split budget forecast predict learn teach practice practise translate transcribe summarize summarise
  generate draft sign approve assign count measure check test inspect diagnose detect classify sort tag label turn convert import export upload download print publish post stream play watch
  listen cook water feed train care host run handle track tracks manages shares scans books finds plans logs compares sells rents orders keeps organizes collects records monitors schedules sends creates
  builds makes writes reads edits designs buys stores saves searches reviews rates matches delivers ships pays splits forecasts predicts learns teaches translates transcribes summarizes
  generates drafts signs assigns counts measures checks tests inspects detects classifies sorts turns converts imports uploads prints publishes posts streams plays watches identify identifies
  tracking managing sharing scanning booking finding planning logging comparing selling renting ordering keeping organizing collecting recording monitoring scheduling sending creating building
  making writing reading editing designing buying storing saving searching reviewing rating matching delivering shipping paying splitting forecasting predicting learning teaching translating
  transcribing summarizing generating drafting signing assigning counting measuring checking testing inspecting detecting classifying sorting turning converting importing uploading printing
  get gets getting see sees seeing show shows showing give gives giving remind reminds reminding automate automates automating prevent prevents reduce reduces visualize analyze analyzes draft
  remember remembering forget forgetting lose losing lost miss missing waste wasting replace repair fix maintain renew cancel collect catalog catalogue digitize explain suggest suggests recommend reward rewards practise chase chases limit limits fail fails cause causes accept accepts suit suits`);

/** Verbs that are names of things as well; which of both they are shows in the words around them. */
export const BOTH =
  words(`list order book plan log record report schedule review invoice ticket post bill quote shift permit lists orders books plans logs records reports schedules reviews invoices tickets posts
  bills quotes shifts permits budget budgets test tests design designs share shares store stores feed feeds stream streams train trains sign signs tag tags label labels host hosts ship ships draft drafts
  catalog catalogue catalogs print prints repair repairs play plays water waste care cook check checks recording recordings building buildings training meeting meetings listing listings booking bookings
  reading readings painting paintings wedding weddings clothing spending savings saving rating ratings rental rentals practice match matches`);

/** Words that are never the thing an idea is about. */
export const NEVER =
  words(`a an the of for to in on at by with and or but that which who whose where when while if so because since as than then it its is are be been being was were am do does did done has have
  had having will would can could should may might must shall not no nor never always often usually already still just only also too very really quite more most less least much many few several some any all
  each every both either neither other another same such own this these those there here they them their theirs he him his she her hers we us our ours you your yours i me my mine one two three four five ten
  what how why whom up down out off over under again back away into onto from about between through during before after until without within across along around against per via using like unlike instead
  app apps application applications tool tools platform platforms website websites site sites service services software system systems product products solution solutions program device devices
  thing things stuff way ways lot lots kind kinds sort sorts type types part parts bit piece number numbers amount amounts set sets group groups case cases example problem problems issue issues need needs
  want wants wanted help helps helping let lets letting allow allows allowing enable enables enabling make makes work works working use uses used user users go goes going gets come comes coming
  time times day days week weeks month months year years hour hours minute minutes second seconds night morning evening weekend today tomorrow moment daily weekly monthly yearly annual
  life world place places home house work job side end start beginning top bottom front last next first new old big small large little long short high low good better best bad worse worst great nice easy easier
  simple simpler fast faster quick quicker slow free cheap expensive real right wrong true full empty early late local online offline mobile digital smart automatic automated shared single common
  private public personal social busy young elderly independent remote different similar specific certain important useful relevant available missing actual whole entire ai based powered driven
  automatically actually directly together apart everyone everything something anything nothing somebody someone nobody anyone phone phones internet web cloud computer screen button click tap
  idea ideas feature features option options setting settings info information data result results list_of etc eg ie vs exactly even ever soon later now once twice enough almost nearly
  know knows knowing think say says tell tells telling look looks looking feel feels try tries trying take takes taking put puts bring brings become becomes happen happens end ends stop stops spend spends
  hate hates love loves want struggle struggles struggling keeps keep people's don't doesn't can't won't isn't aren't wasn't couldn't didn't i'm i've we're they're it's that's there's
  usually mostly mainly currently recently repeatedly quickly easily safely simply clearly money fun trouble mess chaos stress pain point points hand hands mind head heads eye eyes control chance
  middle rest share half quarter dozen dozens hundreds thousands cannot anymore alone ahead forward twice lots plus minus ready able unable sure clear open close closed
  fewest smartest fake discreet gorgeous bought sold anywhere elsewhere everywhere monday tuesday wednesday thursday friday saturday sunday sql url urls csv pdf yaml https http ssl api html json
  themselves yourself himself herself itself myself ourselves yourselves six seven eight nine eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen twenty thirty forty fifty sixty hundred thousand million pretty ugly brown white black red green christmas easter
  fertile funny sharp nearest favourite favorite huge tiny wet dry happy sad angry usual weird strange odd actually please okay ok yes maybe otherwise however therefore although though whether unless per among amongst toward towards upon beside besides despite except`);

/** After these a noun is a circumstance rather than what it is about: `with barcode scanning`, `in one place`. */
export const CIRCUMSTANCE = words('with in on at from by through via using without inside before after during near around under over into against');
export const DETERMINERS = words(
  `a an the my our their his her your its every each all any some these those own of what which new old shared several more many right best usual important`,
);
