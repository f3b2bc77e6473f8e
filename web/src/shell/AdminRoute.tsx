import { AdminScreen } from '../admin/AdminScreen.tsx'
import { lazyComponent } from '../ui/lazy.tsx'

const ServerReady = lazyComponent(async () => (await import('../friend-links/ServerReady.tsx')).ServerReady)

/** Joins the administration with the first invitation, because it does not import the friend links. */
export function AdminRoute() {
  return <AdminScreen renderReady={(onDone) => <ServerReady onDone={onDone} />} />
}
