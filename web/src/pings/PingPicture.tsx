import { type PingId } from '@hither/contract/ids.ts'
import Box from '@mui/material/Box'
import LinearProgress from '@mui/material/LinearProgress'
import Skeleton from '@mui/material/Skeleton'
import { useState } from 'react'
import { useIsPingImageLoading, usePingImage } from '../api/images.ts'
import { usePingUpload } from './ping-uploads.ts'
import { pingStrings } from './strings.ts'

interface Props {
  ping: { id: PingId; name: string; has_image: boolean }
  heightPx: number
}

/** The picture of a ping, or the one that is on its way to become it. Takes no room where it cannot be had. */
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
        alt={pingStrings.picture(ping.name)}
        onError={() => setBrokenUrl(url)}
        sx={{ display: 'block', width: '100%', height: '100%', objectFit: 'cover' }}
      />
      {upload && (
        <LinearProgress
          aria-label={pingStrings.sendingPicture}
          // Before the first byte and after the last one there is nothing to measure.
          variant={upload.progress > 0 && upload.progress < 1 ? 'determinate' : 'indeterminate'}
          value={Math.round(upload.progress * 100)}
          sx={{ position: 'absolute', insetInline: 0, bottom: 0, height: 6 }}
        />
      )}
    </Box>
  )
}
