import type { Circle } from '@hither/contract/circles.ts'
import ChevronRightRounded from '@mui/icons-material/ChevronRightRounded'
import GroupRounded from '@mui/icons-material/GroupRounded'
import Box from '@mui/material/Box'
import ButtonBase from '@mui/material/ButtonBase'
import Typography from '@mui/material/Typography'
import { mirrored } from '../i18n/language.ts'
import { t } from '../i18n/translate.ts'

export function CircleRow({ circle, onOpen }: { circle: Circle; onOpen: () => void }) {
  return (
    <Box component="li" sx={{ listStyle: 'none', '&:not(:last-child)': { borderBottom: 1, borderColor: 'divider' } }}>
      <ButtonBase
        onClick={onOpen}
        sx={{
          display: 'flex',
          gap: 1.75,
          width: '100%',
          minHeight: 72,
          px: { xs: 1.5, sm: 2 },
          py: 1.5,
          textAlign: 'start',
        }}
      >
        <Box
          aria-hidden
          sx={{
            display: 'grid',
            placeItems: 'center',
            flexShrink: 0,
            width: 48,
            height: 48,
            borderRadius: '50%',
            bgcolor: 'action.hover',
            color: 'text.secondary',
            fontSize: 24,
            lineHeight: 1,
          }}
        >
          {circle.emoji ?? <GroupRounded />}
        </Box>
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Typography variant="subtitle1" component="p" sx={{ lineHeight: 1.25, overflowWrap: 'anywhere' }}>
            <bdi>{circle.name}</bdi>
          </Typography>
          <Typography variant="body2" color="textSecondary">
            {t('circles.count', { count: circle.member_ids.length })}
          </Typography>
        </Box>
        <ChevronRightRounded aria-hidden sx={{ color: 'text.secondary', ...mirrored }} />
      </ButtonBase>
    </Box>
  )
}
