import { useQuery } from '@tanstack/react-query'
import { bannerQuery } from '../moderation/banner/banner.api.ts'
import { useOfflineSince } from '../realtime/live-status.ts'
import { useSession } from '../session/session.ts'
import { useOptionalModule } from '../ui/use-optional-module.ts'

const loadBar = () => import('../moderation/banner/BannerBar.tsx')

/** Loads the bar of the banner when there is one for the first time. `isTop`: no bar but the one about the network is above it. */
export function BannerSlot({ isTop = false }: { isTop?: boolean }) {
  const { user } = useSession()
  const isOffline = useOfflineSince() !== null
  const { data: banner = null } = useQuery({ ...bannerQuery(), enabled: user !== null })
  const module = useOptionalModule(loadBar, user !== null && banner !== null)
  return (
    module &&
    user &&
    banner && <module.BannerBar key={user.id} banner={banner} viewerId={user.id} isTop={isTop && !isOffline} />
  )
}
