export { blueprintDocument, type ReportedBlueprint } from './blueprint-document.ts';
export { briefDocument, type ReportedBrief } from './brief-document.ts';
export { planDocument, type ReportedPlan } from './plan-document.ts';
export { researchDocument, type ReportedResearch } from './research-document.ts';
export { daysInWords, sourcesInWords, verdictLine } from './words.ts';
