import type { ShownPing } from '@hither/contract/pings.ts'
import Box from '@mui/material/Box'
import LinearProgress from '@mui/material/LinearProgress'
import Skeleton from '@mui/material/Skeleton'
import { useState } from 'react'
import { useIsPingImageLoading, usePingImage } from '../../api/images.ts'
import { t } from '../../i18n/translate.ts'
import { type Titled, titleOf } from '../pings.rules.ts'
import { usePingUpload } from './ping-uploads.ts'

interface Props {
  ping: Pick<ShownPing, 'id' | 'has_image'> & Titled
  heightPx: number
}

/** The image of a ping, or the preview of its upload. Renders nothing if the image cannot be loaded. */
export function PingPicture({ ping, heightPx }: Props) {
  const upload = usePingUpload(ping.id)
  const image = usePingImage(ping.id, ping.has_image)
  const isLoading = useIsPingImageLoading(ping.id, ping.has_image)
  const [brokenUrl, setBrokenUrl] = useState<string | null>(null)
  const url = upload?.previewUrl ?? image
  const radius = '12px'

  if (url === undefined) {
    return isLoading ? <Skeleton variant="rectangular" height={heightPx} sx={{ borderRadius: radius }} /> : null
  }
  if (url === brokenUrl) return null
  return (
    <Box
      sx={{ position: 'relative', height: heightPx, borderRadius: radius, overflow: 'hidden', bgcolor: 'action.hover' }}
    >
      <Box
        component="img"
        src={url}
        alt={t('pings.picture', { name: titleOf(ping) })}
        onError={() => setBrokenUrl(url)}
        sx={{ display: 'block', width: '100%', height: '100%', objectFit: 'cover' }}
      />
      {upload && (
        <LinearProgress
          aria-label={t('pings.sendingPicture')}
          // The progress is unknown before the first byte and after the last one.
          variant={upload.progress > 0 && upload.progress < 1 ? 'determinate' : 'indeterminate'}
          value={Math.round(upload.progress * 100)}
          sx={{ position: 'absolute', insetInline: 0, bottom: 0, height: 6 }}
        />
      )}
    </Box>
  )
}
