// What each feature may use of others. This table is the architecture diagram.
export const MAY_USE = {
  health: [],
  operations: [],
  auth: [],
  catalogue: [],
  cards: [],
  profile: [],
  usage: ['profile'],
  billing: ['profile'],
  credits: ['billing'],
  projects: ['catalogue'],
  research: ['projects', 'cards', 'catalogue', 'usage'],
  'feature-research': ['research', 'projects', 'catalogue', 'usage'],
  'build-graphs': ['research', 'feature-research', 'projects', 'catalogue', 'cards', 'usage'],
  products: ['research', 'projects', 'catalogue'],
  clips: ['projects', 'profile'],
  briefs: ['research', 'projects', 'catalogue', 'build-graphs', 'clips', 'usage'],
  'pipeline-commands': ['research', 'feature-research', 'build-graphs', 'cards', 'projects', 'usage'],
  'project-views': ['projects', 'research', 'build-graphs', 'briefs', 'clips'],
  reports: ['research', 'feature-research', 'build-graphs', 'briefs'],
  'shared-pages': ['research', 'briefs', 'reports'],
  exports: ['research', 'build-graphs', 'briefs', 'reports'],
  bootstrap: ['profile', 'projects'],
  push: [],
  notifications: ['push', 'toasts', 'research'],
  toasts: ['projects', 'research', 'feature-research', 'build-graphs', 'briefs', 'products', 'billing', 'clips'],
};

// The same for the parts of the platform: the folder, and what it may use beside itself.
const PLATFORM_MAY_USE = {
  config: [],
  'disk-cache': [],
  threads: [],
  rendering: ['observability', 'threads'],
  db: ['config', 'disk-cache'],
  observability: [],
  streams: ['db', 'observability'],
  jobs: ['config', 'db', 'observability', 'streams'],
  runs: ['db', 'documents', 'jobs', 'llm', 'observability', 'streams'],
  realtime: ['db', 'observability', 'streams'],
  schedules: ['db', 'documents', 'jobs', 'observability', 'streams'],
  documents: [],
  'domain-events': ['db', 'documents', 'jobs', 'observability'],
  idempotency: ['db'],
  llm: ['config', 'db', 'documents', 'observability'],
  ports: ['config', 'db', 'documents', 'observability', 'threads'],
  http: ['config', 'db', 'observability', 'streams'],
};

const forbidOthers = (name, root, self, allowed, shared = []) => ({
  name,
  severity: 'error',
  from: { path: `^${root}/${self}/` },
  to: { path: `^${root}/`, pathNot: [...[self, ...allowed].map((folder) => `^${root}/${folder}/`), ...shared] },
});

export default {
  forbidden: [
    ...Object.entries(MAY_USE).map(([feature, uses]) => forbidOthers(`dag-${feature}`, 'src/features', feature, uses)),
    ...Object.entries(PLATFORM_MAY_USE).map(([part, uses]) =>
      forbidOthers(`platform-${part}`, 'src/platform', part, uses, ['^src/platform/(actor|context|principal|sealed-column)\\.ts$']),
    ),
    {
      name: 'listed-features-only',
      severity: 'error',
      from: { path: '^src/features/', pathNot: Object.keys(MAY_USE).map((feature) => `^src/features/${feature}/`) },
      to: {},
    },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'lib-is-pure',
      severity: 'error',
      from: { path: '^src/lib/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: ['^src/lib/', '^(node:)?(crypto|util)$', 'node_modules/zod'] },
    },
    {
      name: 'platform-knows-no-feature',
      severity: 'error',
      from: { path: '^src/platform/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/(features|app|cli)/' },
    },
    { name: 'feature-knows-no-app', severity: 'error', from: { path: '^src/features/', pathNot: '\\.test\\.ts$' }, to: { path: '^src/(app|cli)/' } },
    {
      name: 'feature-via-index',
      severity: 'error',
      from: { path: '^src/features/([^/]+)/' },
      to: { path: '^src/features/', pathNot: ['^src/features/$1/', '^src/features/[^/]+/index\\.ts$'] },
    },
    {
      name: 'app-via-index',
      severity: 'error',
      from: { path: '^src/(app|cli)/' },
      to: { path: '^src/features/', pathNot: '^src/features/[^/]+/index\\.ts$' },
    },
    {
      name: 'http-only-in-routes',
      severity: 'error',
      from: { path: '^src/features/', pathNot: ['/routes\\.ts$', '/index\\.ts$', '/schema\\.ts$', '/authenticator\\.ts$', '\\.test\\.ts$'] },
      to: { path: '^src/platform/http/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'vendors-only-in-platform',
      severity: 'error',
      from: { path: '^src/(features|lib)/' },
      to: { path: 'node_modules/(fastify|@fastify|ws|file-type|pg|pg-boss|ai|@ai-sdk|ioredis|undici|@electric-sql)/' },
    },
    {
      name: 'tests-stay-out',
      severity: 'error',
      from: { path: '^src/', pathNot: ['\\.test\\.ts$', '^src/testing/'] },
      to: { path: ['\\.test\\.ts$', '^src/testing/'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
