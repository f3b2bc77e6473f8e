import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import Typography from '@mui/material/Typography'
import { useRef, useState } from 'react'
import { t } from '../../i18n/translate.ts'
import type { PlaceOnMap } from './place-on-map.ts'
import { useIsNear } from './use-is-near.ts'
import { useMapCode } from './use-map-code.ts'

const heightPx = 240

async function loadCode() {
  const [{ maplibre }, { PlaceViewMap }] = await Promise.all([
    import('../engine/maplibre.ts'),
    import('./PlaceViewMap.tsx'),
  ])
  return { maplibre, PlaceViewMap }
}

/**
 * A map of one place. Its code loads after the first paint of the page when it comes near the viewport, or on request if the user
 * saves data. Its space never changes. All that it shows must also be text next to it.
 */
export function PlaceView(place: PlaceOnMap) {
  const frame = useRef<HTMLDivElement>(null)
  const isNear = useIsNear(frame)
  const [isWanted, setIsWanted] = useState(() => !savesData())
  const { state, fail, retry } = useMapCode(loadCode, isNear && isWanted)

  return (
    <Box
      ref={frame}
      sx={{ position: 'relative', height: heightPx, borderRadius: '12px', overflow: 'hidden', bgcolor: 'action.hover' }}
    >
      {content()}
    </Box>
  )

  function content() {
    if (!isWanted) return <Offer label={t('map.placeView.show')} onClick={() => setIsWanted(true)} />
    switch (state.phase) {
      case 'loading':
        return <Skeleton variant="rectangular" height={heightPx} />
      case 'failed':
        return <Offer note={t('map.placeView.failed')} label={t('ui.retry')} onClick={retry} />
      case 'loaded':
        return <state.code.PlaceViewMap {...place} maplibre={state.code.maplibre} onFailure={fail} />
    }
  }
}

/** A button in the place of the map. */
function Offer({ note, label, onClick }: { note?: string; label: string; onClick: () => void }) {
  return (
    <Box sx={{ height: '100%', p: 2, display: 'grid', alignContent: 'center', justifyItems: 'center', gap: 1 }}>
      <Typography role="status" color="textSecondary" sx={{ textAlign: 'center' }}>
        {note}
      </Typography>
      <Button variant="outlined" onClick={onClick}>
        {label}
      </Button>
    </Box>
  )
}

/** Whether the user has asked the browser to load less. */
function savesData(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } }
  return connection?.saveData === true
}
