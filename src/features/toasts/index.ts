export { announceControl } from './announce-control.ts';
export {
  tellBriefFailed,
  tellBriefReady,
  tellFeatureResearchCompleted,
  tellFeatureResearchFailed,
  tellGraphFailed,
  tellGraphReady,
  tellProductsChanged,
  tellResearchCompleted,
  tellResearchFailed,
  tellRoastReceived,
  tellUsageChanged,
  tellVotesReceived,
} from './announcements.ts';
export { appendChannelEvent } from './channels.ts';
export type { ControlKind, ControlParams } from './control-kinds.ts';
export { deliverToast, foregroundAnywhere, giveBack, takeForPush, type Delivery, type ToastOrder } from './deliver-toast.ts';
export { deleteOldDevices, forgetDeviceToken, listFallbackDevices, transferDevices, type FallbackDevice } from './device-store.ts';
export { findSocketCaller, type SocketCaller } from './open-socket-session.ts';
export { realtimeRoutes, toastRoutes } from './routes.ts';
export { Publishing, Toast, Topic } from './schema.ts';
export { sendWaiting } from './send-waiting.ts';
export { deleteOldToastSessions, endToastSessions } from './session-store.ts';
export { deleteOldToasts, transferToasts } from './toast-store.ts';
export { ownTopicOf } from './topics.ts';
