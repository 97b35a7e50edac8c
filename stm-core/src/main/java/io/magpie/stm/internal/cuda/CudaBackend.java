package io.magpie.stm.internal.cuda;
