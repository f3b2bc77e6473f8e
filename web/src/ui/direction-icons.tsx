import ArrowBackRounded from '@mui/icons-material/ArrowBackRounded'
import ChevronRightRounded from '@mui/icons-material/ChevronRightRounded'
import LogoutRounded from '@mui/icons-material/LogoutRounded'
import ReplyRounded from '@mui/icons-material/ReplyRounded'
import SendRounded from '@mui/icons-material/SendRounded'
import type { SvgIconProps } from '@mui/material/SvgIcon'
import type { ComponentType } from 'react'
import { isRightToLeft } from '../i18n/language.ts'

// Icons that point in the direction of reading or against it.

export const BackIcon = directed(ArrowBackRounded)
export const ForwardIcon = directed(ChevronRightRounded)
export const LeaveIcon = directed(LogoutRounded)
export const ReplyIcon = directed(ReplyRounded)
export const SendIcon = directed(SendRounded)

function directed(Icon: ComponentType<SvgIconProps>): ComponentType<SvgIconProps> {
  if (!isRightToLeft) return Icon
  return ({ sx = [], ...props }) => (
    <Icon {...props} sx={[{ transform: 'scaleX(-1)' }, ...(Array.isArray(sx) ? sx : [sx])]} />
  )
}
