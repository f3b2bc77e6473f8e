import type { Check, CheckState } from '@hither/contract/diagnostics.ts'
import CheckCircleRounded from '@mui/icons-material/CheckCircleRounded'
import ErrorRounded from '@mui/icons-material/ErrorRounded'
import PendingRounded from '@mui/icons-material/PendingRounded'
import RemoveCircleOutlineRounded from '@mui/icons-material/RemoveCircleOutlineRounded'
import WarningRounded from '@mui/icons-material/WarningRounded'
import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'
import { t, textOf } from '../../i18n/translate.ts'
import type { PageCheck } from './page-checks.rules.ts'

const appearance = {
  ok: { Icon: CheckCircleRounded, colour: 'success.main' },
  warning: { Icon: WarningRounded, colour: 'warning.main' },
  failed: { Icon: ErrorRounded, colour: 'error.main' },
  off: { Icon: RemoveCircleOutlineRounded, colour: 'text.secondary' },
} as const satisfies Record<CheckState, unknown>

const pending = { Icon: PendingRounded, colour: 'text.secondary' } as const

interface Props {
  check: Check | PageCheck
  /** The language of the text, if it is not that of the page. */
  lang?: string
  children?: ReactNode
}

export function CheckRow({ check: { id, state, text }, lang, children }: Props) {
  const { Icon, colour } = state === null ? pending : appearance[state]
  return (
    <Box
      component="li"
      sx={{
        display: 'flex',
        gap: 1.5,
        px: 2,
        py: 1.5,
        listStyle: 'none',
        '& + &': { borderTop: 1, borderColor: 'divider' },
      }}
    >
      <Icon aria-hidden sx={{ color: colour }} />
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', justifyContent: 'space-between', columnGap: 2 }}>
          <Typography component="h3" variant="subtitle1">
            {textOf(`admin.diagnostics.titles.${id}`) ?? id}
          </Typography>
          <Typography variant="body2" sx={{ color: colour, fontWeight: 600, lineHeight: 1.7 }}>
            {state === null ? t('admin.diagnostics.checking') : t(`admin.diagnostics.states.${state}`)}
          </Typography>
        </Box>
        <Typography variant="body2" color="textSecondary" lang={lang} sx={{ overflowWrap: 'anywhere' }}>
          {text}
        </Typography>
        {children}
      </Box>
    </Box>
  )
}
