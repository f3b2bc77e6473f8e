import type { ResponseType } from '@hither/contract/pings.ts'
import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { t } from '../../i18n/translate.ts'
import { ResponseChoice } from './ResponseChoice.tsx'

interface Props {
  chosen: ResponseType | null
  isWaiting: boolean
  onChoose: (type: ResponseType) => void
}

/** The buttons going, maybe and can't, and whether the response waits for the network. */
export function ResponseButtons({ chosen, isWaiting, onChoose }: Props) {
  return (
    <Box sx={{ display: 'grid', gap: 0.5 }}>
      <ResponseChoice chosen={chosen} onChoose={onChoose} />
      <Typography role="status" variant="body2" color="textSecondary" sx={{ fontWeight: 600 }}>
        {isWaiting && t('pings.waiting.waiting')}
      </Typography>
    </Box>
  )
}
