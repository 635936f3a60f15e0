import { stableId } from '#lib/ids.ts';

/** Ids of sources are worked out from what they are, so that whatever cites them need not wait for their text. */
export const companySourceId = (jobId: string, companyId: string): string => stableId(`${jobId} company ${companyId}`);

export const featureSourceId = (jobId: string, marketId: string, featureId: string): string => stableId(`${jobId} feature ${marketId} ${featureId}`);

export const topicSourceId = (jobId: string, topicId: string): string => stableId(`${jobId} topic ${topicId}`);

export const urlSourceId = (jobId: string, url: string): string => stableId(`${jobId} url ${url}`);

/** Addresses of ours, for what stands in no web. */
export const topicUrl = (topicId: string): string => `knowledge:${topicId}`;

export const featureUrl = (marketId: string, featureId: string): string => `catalogue:${marketId}/${featureId}`;
