import { shownName } from '@hither/contract/runtime/users.ts'
import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { Link } from 'react-router'
import { t } from '../i18n/translate.ts'
import { useSession } from '../session/session.ts'
import { BrandMark } from '../ui/BrandMark.tsx'
import { AccountMenu } from './AccountMenu.tsx'

export function TopBar() {
  const { user } = useSession()
  return (
    <Box
      component="header"
      data-bar="top"
      sx={{
        gridRow: 1,
        height: 'var(--top-bar)',
        pt: 'var(--sat)',
        paddingInlineStart: 'max(16px, var(--sal))',
        paddingInlineEnd: 'max(8px, var(--sar))',
        display: 'flex',
        alignItems: 'center',
        gap: 1,
        bgcolor: 'background.paper',
        borderBottom: 1,
        borderColor: 'divider',
      }}
    >
      <Box
        component={Link}
        to="/"
        sx={{
          display: 'flex',
          alignItems: 'center',
          gap: 1,
          minHeight: 44,
          marginInlineEnd: 'auto',
          color: 'text.primary',
          textDecoration: 'none',
          borderRadius: 2,
          '&:focus-visible': { outline: '3px solid', outlineColor: 'primary.main', outlineOffset: 2 },
        }}
      >
        <BrandMark size={28} />
        <Typography component="span" sx={{ fontSize: '1.25rem', fontWeight: 800, letterSpacing: '-0.02em' }}>
          {t('shell.brand')}
        </Typography>
      </Box>
      <Typography noWrap variant="body2" color="textSecondary" sx={{ fontWeight: 600, minWidth: 0, maxWidth: '45%' }}>
        {user && (shownName(user) || user.email)}
      </Typography>
      {user && <AccountMenu user={user} />}
    </Box>
  )
}
