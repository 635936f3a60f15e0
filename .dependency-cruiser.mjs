// What each feature may use of others. This table is the architecture diagram.
export const MAY_USE = {
  health: [],
  auth: [],
  catalogue: [],
  cards: [],
  profile: [],
  projects: ['catalogue'],
  research: ['projects', 'cards', 'catalogue'],
  'feature-research': ['research', 'projects', 'catalogue'],
  'build-graphs': ['research', 'feature-research', 'projects', 'catalogue', 'cards'],
  products: ['research', 'projects', 'catalogue'],
  briefs: ['research', 'projects', 'catalogue', 'build-graphs'],
  'pipeline-commands': ['research', 'feature-research', 'build-graphs', 'cards', 'projects'],
  'project-views': ['projects', 'research', 'build-graphs', 'briefs'],
  'report-parts': ['research'],
  'shared-pages': ['research', 'briefs', 'report-parts'],
  exports: ['research', 'build-graphs', 'briefs', 'report-parts'],
  bootstrap: ['profile', 'projects'],
};

// The same for the parts of the platform: the folder, and what it may use beside itself.
const PLATFORM_MAY_USE = {
  config: [],
  kept: [],
  db: ['config', 'kept'],
  observability: [],
  streams: ['db', 'observability'],
  jobs: ['config', 'db', 'observability', 'streams'],
  pipelines: ['db', 'observability', 'streams'],
  'domain-events': ['db', 'jobs'],
  idempotency: ['db'],
  llm: ['config', 'observability', 'pipelines'],
  ports: ['config', 'observability'],
  http: ['config', 'db', 'streams'],
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
      forbidOthers(`platform-${part}`, 'src/platform', part, uses, ['^src/platform/(context|principal)\\.ts$']),
    ),
    {
      name: 'listed-features-only',
      severity: 'error',
      from: { path: '^src/features/', pathNot: Object.keys(MAY_USE).map((feature) => `^src/features/${feature}/`) },
      to: {},
    },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } } },
    {
      name: 'lib-is-pure',
      severity: 'error',
      from: { path: '^src/lib/' },
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
      to: { path: 'node_modules/(fastify|@fastify|pg|pg-boss|ai|@ai-sdk|ioredis|undici|@electric-sql)/' },
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
