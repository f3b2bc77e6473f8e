import Badge from '@mui/material/Badge'
import Box from '@mui/material/Box'
import ButtonBase from '@mui/material/ButtonBase'
import { visuallyHidden } from '@mui/utils'
import type { ReactNode } from 'react'
import { NavLink, useMatch } from 'react-router'
import { t } from '../i18n/translate.ts'

const badgeCap = 99

interface Props {
  to: string
  label: string
  icon: ReactNode
  activeIcon: ReactNode
  count?: number
}

export function NavigationItem({ to, label, icon, activeIcon, count = 0 }: Props) {
  const isActive = useMatch({ path: to, end: to === '/' }) !== null
  return (
    <ButtonBase
      component={NavLink}
      to={to}
      end={to === '/'}
      sx={{
        flex: 1,
        maxWidth: 168,
        height: '4rem',
        flexDirection: 'column',
        gap: 0.25,
        borderRadius: 3,
        color: isActive ? 'primary.main' : 'text.secondary',
        '&.Mui-focusVisible': { outlineOffset: -4 },
      }}
    >
      <Box
        sx={{
          display: 'grid',
          placeItems: 'center',
          width: '3.75rem',
          height: '2rem',
          borderRadius: 999,
          transition: 'background-color 180ms ease-out',
          bgcolor: isActive ? (theme) => theme.alpha(theme.vars.palette.primary.main, 0.14) : 'transparent',
        }}
      >
        <Badge
          badgeContent={count}
          slotProps={{ badge: { 'aria-hidden': true } }}
          max={badgeCap}
          sx={{
            '& .MuiBadge-badge': {
              minWidth: '1.25rem',
              height: '1.25rem',
              borderRadius: 999,
              bgcolor: '#C62A2F',
              color: '#fff',
              fontWeight: 700,
              top: 2,
              insetInlineEnd: -4,
            },
          }}
        >
          {isActive ? activeIcon : icon}
        </Badge>
      </Box>
      <Box component="span" sx={{ fontSize: '0.75rem', fontWeight: isActive ? 800 : 600, lineHeight: 1.2 }}>
        {label}
      </Box>
      {count > 0 && <span style={visuallyHidden}>{t('shell.waiting', { count })}</span>}
    </ButtonBase>
  )
}
