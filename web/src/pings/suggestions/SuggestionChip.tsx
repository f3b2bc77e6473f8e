import type { User } from '@hither/contract/users.ts'
import BoltRounded from '@mui/icons-material/BoltRounded'
import Box from '@mui/material/Box'
import ButtonBase from '@mui/material/ButtonBase'
import { visuallyHidden } from '@mui/utils'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { t } from '../../i18n/translate.ts'
import { durationText, spokenDuration } from '../../ui/format-time.ts'
import { Tooltip } from '../../ui/Tooltip.tsx'
import { useSnackbar } from '../../ui/use-snackbar.ts'
import { knownAddressees } from '../drop-again/addressees.ts'
import { inputOfPing } from '../drop-again/drop-again.rules.ts'
import { dropWithUndo } from '../one-tap/drop-with-undo.ts'
import { isNearPrivatePlace } from '../one-tap/near-private-place.ts'
import type { Suggestion } from './suggestions.rules.ts'

/** A pin to drop again: its text opens the form, its bolt drops it at once. */
export function SuggestionChip({ owner, suggestion }: { owner: User; suggestion: Suggestion }) {
  const { key, record, audience, friendsCount } = suggestion
  const { name, duration_minutes: minutes } = record
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const snackbars = useSnackbar()
  const [isWorking, setIsWorking] = useState(false)
  const spoken = { name, audience, duration: spokenDuration(minutes) }
  const edit = () => navigate(`/?again=${record.ping_id}&minutes=${minutes}`)

  async function handleDrop() {
    if (isWorking) return
    setIsWorking(true)
    if (await isNearPrivatePlace(record)) edit()
    else {
      const input = inputOfPing(record, knownAddressees(queryClient))
      await dropWithUndo(owner.id, { button: key, input, wantsChat: record.has_chat, friendsCount }, snackbars)
    }
    setIsWorking(false)
  }

  return (
    <Box
      component="li"
      sx={{
        display: 'flex',
        flexShrink: 0,
        maxWidth: '100%',
        height: 44,
        border: 1,
        borderColor: 'divider',
        borderRadius: 999,
      }}
    >
      <ButtonBase
        onClick={edit}
        sx={{
          minWidth: 0,
          paddingInlineStart: 2,
          paddingInlineEnd: 1,
          borderRadius: '999px 0 0 999px',
          typography: 'body2',
          fontWeight: 600,
        }}
      >
        <span style={visuallyHidden}>{t('pings.suggestion.edit', spoken)}</span>
        <Box component="span" aria-hidden sx={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>
          <bdi>{name}</bdi>
          <Box component="span" sx={{ color: 'text.secondary' }}>
            {` · ${audience} · ${durationText(minutes)}`}
          </Box>
        </Box>
      </ButtonBase>
      <Tooltip title={t('pings.suggestion.dropNow')}>
        <ButtonBase
          aria-label={t('pings.suggestion.drop', spoken)}
          aria-busy={isWorking}
          onClick={handleDrop}
          sx={{
            flexShrink: 0,
            width: 44,
            borderInlineStart: '1px solid',
            borderColor: 'divider',
            borderRadius: '0 999px 999px 0',
            color: isWorking ? 'text.disabled' : 'primary.main',
          }}
        >
          <BoltRounded fontSize="small" />
        </ButtonBase>
      </Tooltip>
    </Box>
  )
}
