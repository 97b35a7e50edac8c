package io.magpie.stm.internal.cuda;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jcuda.driver.CUresult;
import org.junit.jupiter.api.Test;

/** What the driver's results mean for the rest of the process; needs no driver. */
class CudaResultsTest {
  @Test
  void whatTheDriverDocumentsAsSuchEndsTheContext() {
    for (int code :
        new int[] {
          CUresult.CUDA_ERROR_ILLEGAL_ADDRESS,
          CUresult.CUDA_ERROR_LAUNCH_FAILED,
          CUresult.CUDA_ERROR_MISALIGNED_ADDRESS,
          CUresult.CUDA_ERROR_ECC_UNCORRECTABLE,
          CUresult.CUDA_ERROR_NVLINK_UNCORRECTABLE
        }) {
      assertTrue(CudaBackend.killsContext(code), CUresult.stringFor(code));
    }
    for (int code :
        new int[] {
          CUresult.CUDA_SUCCESS,
          CUresult.CUDA_ERROR_NOT_READY,
          CUresult.CUDA_ERROR_OUT_OF_MEMORY,
          CUresult.CUDA_ERROR_INVALID_VALUE,
          CUresult.CUDA_ERROR_NO_BINARY_FOR_GPU
        }) {
      assertFalse(CudaBackend.killsContext(code), CUresult.stringFor(code));
    }
  }

  @Test
  void withoutAWayBetweenGpusCopiesGoOn() {
    for (int code :
        new int[] {
          CUresult.CUDA_SUCCESS,
          CUresult.CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED,
          CUresult.CUDA_ERROR_PEER_ACCESS_UNSUPPORTED,
          CUresult.CUDA_ERROR_TOO_MANY_PEERS
        }) {
      assertTrue(CudaBackend.leavesWay(code), CUresult.stringFor(code));
    }
    for (int code :
        new int[] {CUresult.CUDA_ERROR_INVALID_CONTEXT, CUresult.CUDA_ERROR_ILLEGAL_ADDRESS}) {
      assertFalse(CudaBackend.leavesWay(code), CUresult.stringFor(code));
    }
  }
}
